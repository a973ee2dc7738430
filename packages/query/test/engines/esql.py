"""Parses queries of ES|QL by Elasticsearch's grammar: for each, what is wrong with it, or null."""
import json
import sys

from antlr4 import CommonTokenStream, InputStream
from antlr4.error.ErrorListener import ErrorListener
from esql_parser.EsqlBaseLexer import EsqlBaseLexer
from esql_parser.EsqlBaseParser import EsqlBaseParser


class Problems(ErrorListener):
    def __init__(self):
        self.texts = []

    def syntaxError(self, recognizer, symbol, line, column, message, error):
        self.texts.append(f"{column}: {message}")


def find_problem(query):
    problems = Problems()
    lexer = EsqlBaseLexer(InputStream(query))
    parser = EsqlBaseParser(CommonTokenStream(lexer))
    for part in (lexer, parser):
        part.removeErrorListeners()
        part.addErrorListener(problems)
    parser.singleStatement()
    return problems.texts[0] if problems.texts else None


# The runtime says on the first line of its output where its release differs from the grammar's.
output, sys.stdout = sys.stdout, sys.stderr
json.dump([find_problem(query) for query in json.load(sys.stdin)["queries"]], output)
