"""Runs queries of Kusto (KQL) over a table of events in DuckDB, by the package duckdb-kql."""
import json
import sys
import threading

import duckdb_kql

given = json.load(sys.stdin)


def quote(name):
    return '"' + name.replace('"', '""') + '"'


def find(database, query):
    try:
        rows = duckdb_kql.query(database, f"{query} | project ['{given['rowColumn']}']").fetchall()
        return {"found": sorted(row[0] for row in rows)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def run(table, queries):
    database = duckdb_kql.connect()
    columns = [f"{quote(given['rowColumn'])} INTEGER"] + [f"{quote(name)} VARCHAR" for name in table["columns"]]
    database.execute(f"CREATE TABLE events ({', '.join(columns)})")
    places = ", ".join("?" * len(columns))
    database.executemany(f"INSERT INTO events VALUES ({places})", [[at, *row] for at, row in enumerate(table["rows"])])
    return [find(database, query) for query in queries]


def main():
    json.dump([run(search["table"], search["queries"]) for search in given["searches"]], sys.stdout)


# The translator calls itself for each part of a list.
sys.setrecursionlimit(100_000)
threading.stack_size(512 * 1024 * 1024)
thread = threading.Thread(target=main)
thread.start()
thread.join()
