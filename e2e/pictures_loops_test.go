package e2e

// What is played for the pictures: a small service that writes invoices, the changes that an agent
// made to it, what its reviewers said, and what the agent answered.

// project is the first commit.
var project = []file{
	{".gitignore", "/gauntlet_logs/\n__pycache__/\n"},
	{".gauntlet/config.yml", `base_branch: main
cli:
  default_preference: [claude, codex]
entry_points:
  - path: src
    checks: [test]
    reviews: [code-quality, security]
`},
	{".gauntlet/checks/test.yml", "command: python3 -m unittest discover -q -s tests\n"},
	{".gauntlet/reviews/code-quality.md", `---
num_reviews: 2
---
Look for bugs, missing error handling and code that is hard to change.
`},
	{".gauntlet/reviews/security.md", `---
cli_preference: [codex]
security: true
---
Look for what somebody could do with input of their own.
`},
	{"src/tests/test_tax.py", `import unittest

from invoices import tax


class Tax(unittest.TestCase):
    def test_vat(self):
        self.assertEqual(tax.vat([{"cents": 1000, "rate": "standard"}]), 190)

    def test_no_lines(self):
        self.assertEqual(tax.vat([]), 0)
`},
	{"src/invoices/__init__.py", ""},
	{"src/invoices/tax.py", `"""VAT of invoices, in cents."""

RATES = {"standard": 19, "reduced": 7, "none": 0}


def vat(lines):
    """Return the VAT of all lines."""
    return sum(line["cents"] * RATES[line["rate"]] for line in lines) // 100
`},
	{"src/invoices/store.py", `"""Invoices in SQLite."""

import sqlite3

SCHEMA = """
CREATE TABLE IF NOT EXISTS invoices (
    number INTEGER PRIMARY KEY,
    customer TEXT NOT NULL,
    cents INTEGER NOT NULL,
    paid_at TEXT
);
"""


def connect(path):
    db = sqlite3.connect(path)
    db.executescript(SCHEMA)
    return db


def insert(db, number, customer, cents):
    with db:
        db.execute(
            "INSERT INTO invoices (number, customer, cents) VALUES (?, ?, ?)",
            (number, customer, cents),
        )


def find(db, number):
    return db.execute("SELECT * FROM invoices WHERE number = ?", (number,)).fetchone()
`},
	{"src/invoices/mail.py", `"""Mails to customers."""

import smtplib
from email.message import EmailMessage


def send_invoice(host, invoice):
    message = EmailMessage()
    message["Subject"] = f"Invoice {invoice['number']}"
    message["To"] = invoice["email"]
    message.set_content("Please pay within 14 days.")
    with smtplib.SMTP(host) as server:
        server.send_message(message)
`},
	{"src/invoices/api.py", `"""What the HTTP server calls."""

from invoices import store


def show(db, number):
    row = store.find(db, number)
    if row is None:
        return 404, {"error": "no such invoice"}
    return 200, {"number": row[0], "customer": row[1], "cents": row[2]}
`},
}

type file struct{ path, text string }

// loop is a run on a branch of its own, which is merged when it has passed.
type loop struct {
	branch, subject string
	// When it began, and how long it took: the program does in a second what takes reviewers and an
	// agent minutes. Of a loop of today, hour is how many hours ago it began.
	daysAgo, hour, minutes int
	iterations             []iteration
	open                   bool // it has not passed
	recorded               bool // on a terminal
}

// iteration is what the agent does before it runs the program.
type iteration struct {
	edits []edit
	says  string // in a recording
	marks []mark
}

// edit replaces code in a file, or appends to it.
type edit struct{ path, old, new string }

// mark answers the finding that has these words.
type mark struct{ issue, status, result, reason string }

const (
	apiPath   = "src/invoices/api.py"
	mailPath  = "src/invoices/mail.py"
	storePath = "src/invoices/store.py"
	taxPath   = "src/invoices/tax.py"
)

// noTimeout is reported in three runs: two put it off.
const noTimeout = "The connection has no timeout: a mail server that does not answer blocks the worker for ever."

// twice is the finding of the picture of a violation.
const twice = "Two requests at the same time get the same invoice number."

var loops = []loop{
	{
		branch: "vat-per-line", subject: "Round the VAT of each line", daysAgo: 80, hour: 9, minutes: 6,
		iterations: []iteration{
			{edits: []edit{{taxPath, `sum(line["cents"] * RATES[line["rate"]] for line in lines) // 100`, `sum(round(line["cents"] * RATES[line["rate"]] / 100) for line in lines)`}}},
			{
				edits: []edit{
					{taxPath, "cents.\"\"\"\n\n", "cents.\"\"\"\n\nfrom decimal import ROUND_HALF_UP, Decimal\n\n"},
					{taxPath, `    return sum(round(line["cents"] * RATES[line["rate"]] / 100) for line in lines)
`, `    return sum(rounded(line["cents"] * percent(line["rate"])) for line in lines)


def rounded(hundredths):
    return int((Decimal(hundredths) / 100).quantize(Decimal(1), ROUND_HALF_UP))


def percent(rate):
    if rate not in RATES:
        raise ValueError(f"unknown VAT rate {rate!r}")
    return RATES[rate]
`},
				},
				marks: []mark{
					{"round() rounds halves", "fixed", "Decimal with ROUND_HALF_UP", ""},
					{"An unknown rate", "fixed", "percent() raises ValueError with the rate", ""},
				},
			},
		},
	},
	{
		branch: "due-date", subject: "Name the due date in the mail", daysAgo: 74, hour: 14, minutes: 4,
		iterations: []iteration{
			{edits: []edit{{mailPath, `"Please pay within 14 days."`, `f"Please pay until {invoice['due']}."`}}},
			{
				marks: []mark{
					{noTimeout, "skipped", "true, but not a part of this change", "deferred"},
					{"The due date is printed", "skipped", "all our customers get ISO dates, on paper too", "style"},
				},
			},
		},
	},
	{
		branch: "search", subject: "Search invoices by customer", daysAgo: 67, hour: 10, minutes: 5,
		iterations: []iteration{
			{edits: []edit{{storePath, "", `

def search(db, words):
    return db.execute(
        f"SELECT * FROM invoices WHERE customer LIKE '%{words}%'"
    ).fetchall()
`}}},
			{
				edits: []edit{{storePath, `        f"SELECT * FROM invoices WHERE customer LIKE '%{words}%'"
`, `        "SELECT * FROM invoices WHERE customer LIKE ?", (f"%{words}%",)
`}},
				marks: []mark{
					{"The words of the search", "fixed", "a parameter, no longer a part of the statement", ""},
					{"SQL injection", "fixed", "a parameter, no longer a part of the statement", ""},
					{"All rows are returned", "skipped", "a shop has some hundred invoices", "accepted_risk"},
				},
			},
		},
	},
	{
		branch: "paid-at", subject: "Record when an invoice was paid", daysAgo: 61, hour: 15, minutes: 10,
		iterations: []iteration{
			{edits: []edit{
				{storePath, "import sqlite3\n", "import sqlite3\nfrom datetime import datetime\n"},
				{storePath, "", `

def mark_paid(db, number):
    at = datetime.now().isoformat()
    db.execute("UPDATE invoices SET paid_at = ? WHERE number = ?", (at, number))
`},
			}},
			{
				edits: []edit{
					{storePath, "    at = datetime.now().isoformat()\n", "    at = datetime.utcnow().isoformat()\n"},
					{storePath, `    db.execute("UPDATE invoices SET paid_at`, `    with db:
        db.execute("UPDATE invoices SET paid_at`},
				},
				marks: []mark{
					{"The update is never committed", "fixed", "with db: commits", ""},
					{"The time has no zone", "fixed", "it is in UTC now", ""},
					{"A percent sign in the search", "skipped", "from the change before; nobody searches for one", "out_of_scope"},
				},
			},
			{
				edits: []edit{
					{storePath, "from datetime import datetime\n", "from datetime import datetime, timezone\n"},
					{storePath, "datetime.utcnow()", "datetime.now(timezone.utc)"},
				},
				marks: []mark{{"The time has no zone", "fixed", "the text ends in +00:00", ""}},
			},
		},
	},
	{
		branch: "api-key", subject: "Ask for an API key", daysAgo: 54, hour: 11, minutes: 6,
		iterations: []iteration{
			{edits: []edit{{apiPath, "", `

KEY = "inv-2024-secret"


def allowed(headers):
    return headers.get("X-Api-Key") == KEY
`}}},
			{
				edits: []edit{
					{apiPath, "from invoices import store\n", "import hmac\nimport os\n\nfrom invoices import store\n"},
					{apiPath, `KEY = "inv-2024-secret"`, `KEY = os.environ["INVOICES_API_KEY"]`},
					{apiPath, `headers.get("X-Api-Key") == KEY`, `hmac.compare_digest(headers.get("X-Api-Key", ""), KEY)`},
				},
				marks: []mark{
					{"The key is in the repository", "fixed", "it comes from the environment; the old key is revoked", ""},
					{"The comparison stops", "fixed", "hmac.compare_digest", ""},
					{"A proxy may send the header", "disputed", "headers is werkzeug's Headers, which ignores the case of names", ""},
				},
			},
		},
	},
	{
		branch: "typo-in-mail", subject: "Correct a preposition in the mail", daysAgo: 50, hour: 16, minutes: 4,
		iterations: []iteration{{edits: []edit{{mailPath, "Please pay until", "Please pay by"}}, marks: nil}, {
			marks: []mark{{noTimeout, "skipped", "still to be done, in a change of its own", "deferred"}},
		}},
	},
	{
		branch: "totals", subject: "Add the VAT to the total", daysAgo: 46, hour: 9, minutes: 2,
		iterations: []iteration{{edits: []edit{{taxPath, "", `

def total(lines):
    """Return the sum of all lines with their VAT."""
    return sum(line["cents"] for line in lines) + vat(lines)
`}}}},
	},
	{
		branch: "discount", subject: "Give regular customers a discount", daysAgo: 40, hour: 13, minutes: 9,
		iterations: []iteration{
			{edits: []edit{
				{taxPath, "", `

def discounted(cents, percent):
    return cents - cents * percent / 100
`},
				{"src/tests/test_tax.py", "", `
    def test_discount(self):
        self.assertEqual(tax.discounted(999, 10), 899)
`},
			}},
			{
				edits: []edit{{taxPath, `    return cents - cents * percent / 100
`, `    return cents - rounded(cents * percent)
`}},
				marks: []mark{
					{"The price becomes a float", "fixed", "rounded() makes whole cents of it", ""},
					{"A discount of more than 100", "fixed", "rounded() cannot be negative", ""},
				},
			},
			{
				edits: []edit{{taxPath, `    return cents - rounded(cents * percent)
`, `    if not 0 <= percent <= 100:
        raise ValueError(f"a discount of {percent} %")
    return cents - rounded(cents * percent)
`}},
				marks: []mark{{"A discount of more than 100", "fixed", "raises ValueError outside of 0 to 100", ""}},
			},
		},
	},
	{
		branch: "csv-export", subject: "Export invoices as CSV", daysAgo: 32, hour: 10, minutes: 11,
		iterations: []iteration{
			{edits: []edit{{apiPath, "", `

def export(db):
    rows = db.execute("SELECT number, customer, cents FROM invoices")
    return 200, "\n".join(f"{number},{customer},{cents}" for number, customer, cents in rows)
`}}},
			{
				edits: []edit{{apiPath, `f"{number},{customer},{cents}"`, `f'{number},"{customer}",{cents}'`}},
				marks: []mark{
					{"A comma in a name", "fixed", "the name is in quotes", ""},
					{"A name that begins with", "fixed", "the name is in quotes", ""},
				},
			},
			{
				edits: []edit{
					{apiPath, "import hmac\nimport os\n", "import csv\nimport hmac\nimport io\nimport os\n"},
					{apiPath, `    return 200, "\n".join(f'{number},"{customer}",{cents}' for number, customer, cents in rows)
`, `    out = io.StringIO()
    csv.writer(out).writerows((number, as_text(customer), cents) for number, customer, cents in rows)
    return 200, out.getvalue()


def as_text(cell):
    return "'" + cell if cell.startswith(("=", "+", "-", "@")) else cell
`},
				},
				marks: []mark{
					{"A comma in a name", "fixed", "csv.writer quotes what has to be", ""},
					{"A name that begins with", "fixed", "such a cell gets an apostrophe", ""},
				},
			},
		},
	},
	{
		branch: "pages", subject: "List invoices by pages", daysAgo: 26, hour: 14, minutes: 5,
		iterations: []iteration{
			{edits: []edit{{apiPath, "", `

def index(db, query):
    limit = int(query.get("limit", 50))
    rows = db.execute("SELECT number FROM invoices ORDER BY number LIMIT ?", (limit,))
    return 200, [number for number, in rows]
`}}},
			{
				edits: []edit{{apiPath, `    limit = int(query.get("limit", 50))
`, `    try:
        limit = min(max(int(query.get("limit", 50)), 1), 200)
    except ValueError:
        return 400, {"error": "limit must be a number"}
`}},
				marks: []mark{
					{"limit=ten", "fixed", "answers 400", ""},
					{"limit=1000000", "fixed", "between 1 and 200", ""},
				},
			},
		},
	},
	{
		branch: "mail-tls", subject: "Encrypt the connection to the mail server", daysAgo: 19, hour: 9, minutes: 6,
		iterations: []iteration{
			{edits: []edit{{mailPath, "        server.send_message(message)\n", "        server.starttls()\n        server.send_message(message)\n"}}},
			{
				edits: []edit{
					{mailPath, "import smtplib\n", "import smtplib\nimport ssl\n"},
					{mailPath, "smtplib.SMTP(host)", "smtplib.SMTP(host, timeout=10)"},
					{mailPath, "server.starttls()", "server.starttls(context=ssl.create_default_context())"},
				},
				marks: []mark{
					{"starttls() without a context", "fixed", "the default context checks the certificate", ""},
					{noTimeout, "fixed", "ten seconds", ""},
				},
			},
		},
	},
	{
		branch: "reminders", subject: "Remind customers who have not paid", daysAgo: 12, hour: 11, minutes: 9,
		iterations: []iteration{
			{edits: []edit{{mailPath, "", `

def remind(host, invoices):
    for invoice in invoices:
        invoice["reminded"] = True
        send_invoice(host, invoice)
`}}},
			{
				edits: []edit{{mailPath, `        invoice["reminded"] = True
        send_invoice(host, invoice)
`, `        try:
            send_invoice(host, invoice)
        except Exception:
            continue
        invoice["reminded"] = True
`}},
				marks: []mark{
					{"The first mail that fails", "fixed", "goes on with the next invoice", ""},
					{"An invoice counts as reminded", "fixed", "set after the mail was sent", ""},
					{"The mail is the one of the invoice", "skipped", "the reminder gets words of its own next month", "out_of_scope"},
				},
			},
			{
				edits: []edit{
					{mailPath, "import smtplib\n", "import logging\nimport smtplib\n"},
					{mailPath, `        except Exception:
            continue
`, `        except (OSError, smtplib.SMTPException) as error:
            logging.warning("invoice %s: no reminder: %s", invoice["number"], error)
            continue
`},
				},
				marks: []mark{{"Every error is swallowed", "fixed", "only errors of the mail, and each is logged", ""}},
			},
		},
	},
	{
		branch: "refunds", subject: "Refund an invoice", daysAgo: 5, hour: 15, minutes: 5,
		iterations: []iteration{
			{edits: []edit{{apiPath, "", `

def refund(db, number):
    row = store.find(db, number)
    store.insert(db, -number, row[1], -row[2])
    return 200, {"refunded": row[2]}
`}}},
			{
				edits: []edit{{apiPath, `    store.insert(db, -number, row[1], -row[2])
`, `    if row is None:
        return 404, {"error": "no such invoice"}
    if store.find(db, -number):
        return 409, {"error": "refunded before"}
    store.insert(db, -number, row[1], -row[2])
`}},
				marks: []mark{
					{"An unknown number", "fixed", "answers 404", ""},
					{"A second refund", "fixed", "answers 409", ""},
				},
			},
		},
	},
	{
		branch: "invoice-numbers", subject: "Number invoices without gaps", hour: 3, minutes: 12, recorded: true,
		iterations: []iteration{
			{
				edits: []edit{{storePath, "", `

def next_number(db):
    row = db.execute("SELECT max(number) FROM invoices").fetchone()
    return (row[0] or 0) + 1
`}},
				says: "An agent has written next_number() in src/invoices/store.py",
			},
			{
				edits: []edit{{storePath, `    row = db.execute("SELECT max(number) FROM invoices").fetchone()
    return (row[0] or 0) + 1
`, `    with db:
        row = db.execute("SELECT max(number) FROM invoices").fetchone()
        return (row[0] or 0) + 1
`}},
				says:  "The agent changes store.py, and says what it did",
				marks: []mark{{twice, "fixed", "reads the number in a transaction", ""}},
			},
			{
				edits: []edit{
					{storePath, `    paid_at TEXT
);
`, `    paid_at TEXT
);
CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
INSERT OR IGNORE INTO counters VALUES ('invoice', 0);
`},
					{storePath, `    with db:
        row = db.execute("SELECT max(number) FROM invoices").fetchone()
        return (row[0] or 0) + 1
`, `    with db:
        return db.execute(
            "UPDATE counters SET value = value + 1"
            " WHERE name = 'invoice' RETURNING value"
        ).fetchone()[0]
`},
				},
				says:  "Its reviewer was not convinced, so the agent changes it again",
				marks: []mark{{twice, "fixed", "one UPDATE … RETURNING takes and returns the number", ""}},
			},
		},
	},
	{
		branch: "currencies", subject: "Invoices in other currencies", hour: 1, minutes: 2, open: true,
		iterations: []iteration{{edits: []edit{{taxPath, "", `

EURO = {"EUR": 1.0, "USD": 0.92, "CHF": 1.06}


def in_euro(cents, currency):
    return round(cents * EURO.get(currency, 1.0))
`}}}},
	},
}
