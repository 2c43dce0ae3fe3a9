package e2e

// finding is what a reviewer reports for as long as one of the pieces of code is in what it is shown.
type finding struct {
	reviewer, gate string
	path           string
	code           []string
	priority       string
	issue, fix     string
	// What it answers to a claim: to one of a fix that left the second piece of code, and to one that
	// left none. Of a dispute: why it was right.
	still, gone, withdrawn string
}

var findings = []finding{
	{
		reviewer: "claude", path: taxPath, code: []string{`round(line["cents"]`}, priority: "high",
		issue: "round() rounds halves to the even number: the VAT of 1.50 EUR at 7 % becomes 10 cents, not 11.",
		fix:   "Use Decimal with ROUND_HALF_UP.", gone: "rounded() uses Decimal and ROUND_HALF_UP; 1.50 EUR gives 11 cents.",
	},
	{
		reviewer: "codex", path: taxPath, code: []string{`* RATES[line["rate"]] / 100`}, priority: "medium",
		issue: "An unknown rate is a KeyError, which the customer sees as an internal error.",
		fix:   "Raise a ValueError that names the rate.", gone: "percent() raises ValueError with the rate in it.",
	},
	{reviewer: "claude", path: mailPath, code: []string{"smtplib.SMTP(host)"}, priority: "medium", issue: noTimeout, fix: "Pass timeout=10.", gone: "SMTP is called with timeout=10."},
	{
		reviewer: "codex", path: mailPath, code: []string{"until {invoice['due']}"}, priority: "low",
		issue: "The due date is printed as 2026-10-01; readers of a letter expect 1 October 2026.", fix: "Format it for the customer's language.",
	},
	{
		reviewer: "claude", path: storePath, code: []string{"LIKE '%{words}%'"}, priority: "critical",
		issue: "The words of the search become a part of the SQL statement: a quote in them ends the text, and the rest is executed.",
		fix:   "Pass them as a parameter.", gone: "The statement is constant, and the words are a parameter.",
	},
	{
		reviewer: "codex", gate: "security", path: storePath, code: []string{"LIKE '%{words}%'"}, priority: "critical",
		issue: "SQL injection: whoever searches can read and change every table.",
		fix:   "Use a placeholder.", gone: "The placeholder ? is used; nothing of the input is in the statement.",
	},
	{
		reviewer: "codex", path: storePath, code: []string{"LIKE '%{words}%'"}, priority: "low",
		issue: "All rows are returned at once, however many there are.", fix: "Add a LIMIT.",
	},
	{
		reviewer: "claude", path: storePath, code: []string{`LIKE ?", (f"%{words}%",)`}, priority: "low",
		issue: "A percent sign in the search matches everything.", fix: "Escape % and _, and add ESCAPE.",
	},
	{
		reviewer: "claude", path: storePath, code: []string{"\n    db.execute(\"UPDATE invoices SET paid_at"}, priority: "high",
		issue: "The update is never committed: it is lost when the connection closes.", fix: "Put it into a `with db:` block, as insert() does.",
		gone: "The update is inside `with db:`, which commits.",
	},
	{
		reviewer: "codex", path: storePath, code: []string{"datetime.now().isoformat()", "datetime.utcnow().isoformat()"}, priority: "medium",
		issue: "The time has no zone: after a move of the server nobody knows when it was.", fix: "Store datetime.now(timezone.utc).",
		still: "utcnow() returns a time without a zone, too: the stored text still does not say that it is UTC.",
		gone:  "datetime.now(timezone.utc) stores the offset with the time.",
	},
	{
		reviewer: "codex", gate: "security", path: apiPath, code: []string{`KEY = "inv-2024-secret"`}, priority: "critical",
		issue: "The key is in the repository: everybody who can read it can call the API.", fix: "Read it from the environment, and revoke this one.",
		gone: "KEY is read from INVOICES_API_KEY.",
	},
	{
		reviewer: "codex", gate: "security", path: apiPath, code: []string{`headers.get("X-Api-Key") == KEY`}, priority: "medium",
		issue: "The comparison stops at the first different character, and its time tells how many are right.", fix: "Use hmac.compare_digest.",
		gone: "hmac.compare_digest compares them.",
	},
	{
		reviewer: "claude", path: apiPath, code: []string{`headers.get("X-Api-Key") == KEY`}, priority: "medium",
		issue: "A proxy may send the header as x-api-key, which is not found.", fix: "Look it up without regard to case.",
		withdrawn: "The server passes werkzeug's Headers; its get() ignores the case of names.",
	},
	{
		reviewer: "claude", path: taxPath, code: []string{"cents * percent / 100"}, priority: "high",
		issue: "The price becomes a float: 9.99 EUR less 10 % is 899.1 cents.", fix: "Round to whole cents, as rounded() does.",
		gone: "The discount is rounded to whole cents.",
	},
	{
		reviewer: "codex", path: taxPath, code: []string{"\n    return cents - cents * percent / 100", "(cents, percent):\n    return cents - rounded(cents * percent)"}, priority: "medium",
		issue: "A discount of more than 100 % makes a negative price.", fix: "Refuse it with a ValueError.",
		still: "rounded() only rounds: discounted(1000, 120) is -200.",
		gone:  "A percentage outside of 0 to 100 raises ValueError.",
	},
	{
		reviewer: "claude", path: apiPath, code: []string{`f"{number},{customer},{cents}"`, `f'{number},"{customer}",{cents}'`}, priority: "high",
		issue: "A comma in a name shifts the columns: \"Miller, Ltd\" becomes two cells.", fix: "Write with the csv module.",
		still: "A quote in a name still ends the cell: 'Miller \"Bob\" Ltd' is broken now.",
		gone:  "csv.writer writes the rows.",
	},
	{
		reviewer: "codex", gate: "security", path: apiPath, code: []string{`f"{number},{customer},{cents}"`, `f'{number},"{customer}",{cents}'`}, priority: "high",
		issue: "A name that begins with = is a formula: the accountant's spreadsheet executes it.", fix: "Prefix such cells with an apostrophe.",
		still: "Quotes do not help: spreadsheets execute =HYPERLINK(…) in a quoted cell, too.",
		gone:  "as_text() puts an apostrophe before =, +, - and @.",
	},
	{
		reviewer: "claude", path: apiPath, code: []string{`int(query.get("limit", 50))` + "\n"}, priority: "high",
		issue: "limit=ten is a ValueError, which is answered with 500.", fix: "Answer 400.", gone: "A ValueError is answered with 400.",
	},
	{
		reviewer: "codex", path: apiPath, code: []string{`int(query.get("limit", 50))` + "\n"}, priority: "medium",
		issue: "limit=1000000 reads the whole table.", fix: "Cap it.", gone: "The limit is between 1 and 200.",
	},
	{
		reviewer: "codex", gate: "security", path: mailPath, code: []string{"server.starttls()"}, priority: "high",
		issue: "starttls() without a context does not check the certificate: anybody on the way can read the mails.",
		fix:   "Pass ssl.create_default_context().", gone: "create_default_context() checks certificate and name.",
	},
	{
		reviewer: "claude", path: mailPath, code: []string{"for invoice in invoices:\n        invoice[\"reminded\"] = True\n"}, priority: "high",
		issue: "The first mail that fails ends the loop: the customers after it get no reminder.", fix: "Catch errors of the mail for each invoice.",
		gone: "Each invoice has its own try.",
	},
	{
		reviewer: "codex", path: mailPath, code: []string{"        invoice[\"reminded\"] = True\n        send_invoice"}, priority: "medium",
		issue: "An invoice counts as reminded before its mail is sent.", fix: "Set it afterwards.", gone: "It is set after send_invoice() has returned.",
	},
	{
		reviewer: "codex", path: mailPath, code: []string{"def remind(host, invoices):"}, priority: "low",
		issue: "The mail is the one of the invoice: it does not say that it is a reminder.", fix: "Give it a subject of its own.",
	},
	{
		reviewer: "claude", path: mailPath, code: []string{"except Exception:\n            continue"}, priority: "high",
		issue: "Every error is swallowed: a wrong host name sends no reminder at all, and nobody notices.", fix: "Catch errors of the mail alone, and log them.",
		gone: "Only OSError and SMTPException are caught, and each is logged.",
	},
	{
		reviewer: "claude", path: apiPath, code: []string{"    row = store.find(db, number)\n    store.insert(db, -number"}, priority: "medium",
		issue: "An unknown number is a TypeError, because row is None.", fix: "Answer 404, as show() does.", gone: "It answers 404.",
	},
	{
		reviewer: "codex", path: apiPath, code: []string{"    row = store.find(db, number)\n    store.insert(db, -number"}, priority: "high",
		issue: "A second refund fails in the database with an IntegrityError, and is answered with 500.", fix: "Look whether it was refunded.",
		gone: "store.find(db, -number) is asked first, and the answer is 409.",
	},
	{
		reviewer: "claude", path: storePath, code: []string{"\n    row = db.execute(\"SELECT max(number)", "\n        row = db.execute(\"SELECT max(number)"}, priority: "critical",
		issue: twice + "\n\nBoth read the same maximum before either of them inserts. The second insert fails, and its customer gets an error after paying.",
		fix:   "Take and advance the number in one statement.",
		still: "`with db` does not begin a transaction for a SELECT, and it has ended before insert() is called. Two callers still read the same maximum.",
		gone:  "The number is taken and advanced in one UPDATE, for which SQLite locks the database.",
	},
	{
		reviewer: "claude", path: taxPath, code: []string{"EURO.get(currency, 1.0)"}, priority: "high",
		issue: "A currency that is not in the table counts as euro: 100 JPY become 100 EUR.", fix: "Refuse it with a ValueError.",
	},
	{
		reviewer: "codex", path: taxPath, code: []string{`EURO = {"EUR": 1.0`}, priority: "medium",
		issue: "The rates are fixed in the code: the amounts are wrong from the next day on.", fix: "Store the rate of the day with the invoice.",
	},
}
