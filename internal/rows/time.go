package rows

import "time"

// TimeFormat is the format of times in the database, that of SQLite's
// strftime('%Y-%m-%dT%H:%M:%fZ').
const TimeFormat = "2006-01-02T15:04:05.000Z"

// Time parses a time in the database. It parses the usual format digit by digit: a long list has
// millions of times, and [time.Parse] takes five times as long.
func Time(text string) (time.Time, error) {
	usual := len(text) == len(TimeFormat)
	number := func(from, to int) (n int) {
		for i := from; usual && i < to; i++ {
			digit := text[i] - '0'
			usual = digit <= 9
			n = n*10 + int(digit)
		}
		return n
	}
	year, month, day := number(0, 4), number(5, 7), number(8, 10)
	hour, minute, second, milli := number(11, 13), number(14, 16), number(17, 19), number(20, 23)
	if usual {
		at := time.Date(year, time.Month(month), day, hour, minute, second, milli*int(time.Millisecond), time.UTC)
		if separated(text) && at.Month() == time.Month(month) && at.Day() == day && hour < 24 && minute < 60 && second < 60 {
			return at, nil
		}
	}
	return time.Parse(TimeFormat, text)
}

// separated reports whether the separators are those of TimeFormat.
func separated(text string) bool {
	return text[4] == '-' && text[7] == '-' && text[10] == 'T' && text[13] == ':' && text[16] == ':' && text[19] == '.' && text[23] == 'Z'
}
