import { limits } from './limits.ts'
import { parseQuery } from './parse.ts'
import { readTimeSpan } from './read-time.ts'
import { isOperator, tokenize } from './tokenize.ts'
import { findUnknownFields } from './unknown-fields.ts'

/** A part of a valid query that probably means something else than its author thinks. */
type QueryWarning = { readonly start: number; readonly end: number; readonly message: string }

type WordCheck = { readonly pattern: RegExp; readonly message: (word: string) => string }

/** Words of other search languages, which here are texts to look for. */
const wordChecks: readonly WordCheck[] = [
  { pattern: /^(?:&&|&)$/, message: (word) => `'${word}' is a text to look for; write AND` },
  { pattern: /^(?:\|\||\|)$/, message: (word) => `'${word}' is a text to look for; write OR` },
  { pattern: /^(?:=|==|!=|<>)$/, message: (word) => `'${word}' is a text to look for; write field:value, or NOT field:value` },
  { pattern: /^!(?=.)/, message: (word) => `'!' is part of the text '${word}'; write NOT ${word.slice(1)}` },
  { pattern: /^\+$/, message: () => "'+' is a text to look for; all terms must match anyway" },
  { pattern: /^-$/, message: () => "'-' is a text to look for; write NOT" },
  { pattern: /^!$/, message: () => "'!' is a text to look for; write NOT" },
  { pattern: /^-(?=[\p{L}_"][^:]*:)/u, message: (word) => `'-' is part of the name in '${word}'; write NOT ${word.slice(1)}` },
  { pattern: /^\+(?=[\p{L}_"])/u, message: (word) => `'+' is part of the text '${word}'; all terms must match anyway` },
  { pattern: /^_exists_:./, message: (word) => `'_exists_' is taken for a field; write ${word.slice('_exists_:'.length)}:*` },
  { pattern: /^(?:[^:"]+:)?\/[\w-]+\/i?$/, message: (word) => `'${word}' is a regular expression; for a text write ${quoteValue(word)}` },
  { pattern: /^[^:"]+:\d{4}-\d{2}-\d{2}\b(?!.*\*)/, message: describeDate },
  { pattern: /^[A-Za-z_][\w.]*(?:==?|!=)\S/, message: (word) => `'${word}' is a text to look for; write ${word.replace(/==?|!=/, ':')}` },
]

/** What warnings may rely on. */
type WarningFacts = {
  /** The names of all fields of the stored events; undefined where not all are known. */
  readonly fields?: readonly string[]
}

/**
 * Finds parts of a query that look like another search language or a slip, and fields that no event has. The query is valid
 * and is run as it stands.
 */
export function findQueryWarnings(text: string, { fields }: WarningFacts = {}): QueryWarning[] {
  const unknown = fields === undefined ? [] : findUnknownFields(parseQuery(text), fields)
  // What stands before a name by a slip is no field that the author meant.
  const meant = unknown.filter(({ start }) => !/^(?:[!+-]|_exists_:)/.test(text.slice(start)))
  return [...findSlips(text), ...meant].slice(0, limits.warningsMax)
}

function findSlips(text: string): QueryWarning[] {
  const tokens = [...tokenize(text)]
  return tokens.flatMap(({ kind, start, end }, i): QueryWarning[] => {
    if (kind !== 'word') return []
    const word = text.slice(start, end)
    const next = tokens[i + 1]
    if (/^[^:"]+:$/.test(word) && next?.kind === 'word' && !isOperator(text.slice(next.start, next.end))) {
      return [{ start, end, message: `a blank follows '${word}'; write ${word}${text.slice(next.start, next.end)} without it` }]
    }
    if (/^in$/i.test(word) && next?.kind === 'open' && tokens[i - 1]?.kind === 'word') {
      const field = text.slice(tokens[i - 1]!.start, tokens[i - 1]!.end)
      return [{ start, end, message: `'${word}' is a text to look for; write ${field}:(a OR b)` }]
    }
    const found = wordChecks.find(({ pattern }) => pattern.test(word))
    return found === undefined ? [] : [{ start, end, message: found.message(word) }]
  })
}

function quoteValue(word: string): string {
  const at = word.indexOf('/')
  return `${word.slice(0, at)}"${word.slice(at)}"`
}

/** A date as a value is compared as text, which hardly a time equals. */
function describeDate(word: string): string {
  const colon = word.indexOf(':')
  const [field, date] = [word.slice(0, colon), word.slice(colon + 1)]
  return readTimeSpan(date, 0) === undefined
    ? `'${date}' is no date`
    : `'${date}' is compared as text; for a time write ${field}:[${date} TO ${date}]`
}
