"""Runs queries over a table of events in ClickHouse, as the package chdb has it."""
import json
import sys
import tempfile

from chdb import session

given = json.load(sys.stdin)


def quote(name):
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"


def find(database, query):
    try:
        rows = database.query(query.replace("SELECT *", f"SELECT {quote(given['rowColumn'])}", 1), "TSV").bytes().split()
        return {"found": sorted(map(int, rows))}
    except Exception as error:
        return {"error": str(error)}


def run(database, table, queries):
    database.query("DROP TABLE IF EXISTS events")
    columns = [f"{quote(given['rowColumn'])} UInt32"] + [f"{quote(name)} Nullable(String)" for name in table["columns"]]
    database.query(f"CREATE TABLE events ({', '.join(columns)}) ENGINE = Memory")
    lines = (json.dumps([at, *row], ensure_ascii=False) for at, row in enumerate(table["rows"]))
    database.query("INSERT INTO events FORMAT JSONCompactEachRow\n" + "\n".join(lines))
    return [find(database, query) for query in queries]


with tempfile.TemporaryDirectory() as folder:
    database = session.Session(folder)
    database.query("CREATE DATABASE test")
    database.query("USE test")
    json.dump([run(database, search["table"], search["queries"]) for search in given["searches"]], sys.stdout)
    database.close()
