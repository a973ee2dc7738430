import type { ComparisonOperator, Test } from '@tripline/engine/predicate'
import { UnsayableError, joinConditions, printPatterns, printRegex, readSimplePattern } from './dialect.ts'
import type { QueryDialect } from './dialect.ts'

const signs: { readonly [O in ComparisonOperator]: string } = { eq: '==', gt: '>', gte: '>=', lt: '<', lte: '<=' }

/** What no dialect here states. */
function refuse({ kind }: Test['value']): never {
  const names: { readonly [K in Test['value']['kind']]?: string } = {
    regex: 'a regular expression', fieldRef: 'a comparison of two fields', timePart: 'a part of a time', instant: 'a comparison of times',
  }
  throw new UnsayableError(names[kind] ?? kind)
}

function refuseCase(isCased: boolean): void {
  if (isCased) throw new UnsayableError('a case-sensitive comparison')
}

/** Lucene's query string, as OpenSearch and Elasticsearch read it; fields are keywords whose normalizer folds case. */
const lucene: QueryDialect = {
  and: (parts) => joinConditions(parts, 'AND'),
  or: (parts) => joinConditions(parts, 'OR'),
  // A query that only excludes finds nothing within another one.
  not: (part) => `(*:* AND NOT ${part})`,
  constant: (value) => value ? '*:*' : '(*:* AND NOT *:*)',
  test: (field, value) => {
    const name = escapeLucene(field)
    switch (value.kind) {
      case 'text': {
        refuseCase(value.isCased)
        const texts = printPatterns(value.pattern, { text: escapeLucene, any: '*', one: '?' })
        return joinConditions(texts.map((text) => text === '' ? `${name}:""` : `${name}:${text}`), 'OR')
      }
      case 'number': return `${name}:${escapeLucene(value.text ?? String(value.value))}`
      case 'compare': {
        const number = value.text ?? String(value.value)
        return value.operator === 'eq' ? `${name}:${escapeLucene(number)}` : `${name}:${signs[value.operator]}${number}`
      }
      case 'boolean': return `${name}:${value.value}`
      case 'null': return `(*:* AND NOT _exists_:${name})`
      case 'exists': return value.isPresent ? `_exists_:${name}` : `(*:* AND NOT _exists_:${name})`
      case 'cidr': return `${name}:"${value.text}"`
      default: return refuse(value)
    }
  },
  query: (condition) => condition,
}

function escapeLucene(text: string): string {
  if (/[<>]/.test(text)) throw new UnsayableError("'<' or '>' in a text (Lucene's query string cannot escape them)")
  return text.replaceAll(/[+\-=&|!(){}[\]^"~*?:\\/\s]/g, '\\$&')
}

/** ES|QL of Elasticsearch. */
const esql: QueryDialect = {
  and: (parts) => joinConditions(parts, 'AND'),
  or: (parts) => joinConditions(parts, 'OR'),
  not: (part) => `NOT (${part})`,
  constant: (value) => String(value),
  test: (field, value) => {
    const name = field.split('.').map((part) => /^[A-Za-z_@]\w*$/.test(part) ? part : `\`${part.replaceAll('`', '``')}\``).join('.')
    const text = `TO_STRING(${name})`
    const present = (condition: string): string => `(${name} IS NOT NULL AND ${condition})`
    switch (value.kind) {
      case 'text': {
        const fold = (one: string): string => value.isCased ? one : one.toLowerCase()
        const patterns = printPatterns(value.pattern, { text: (one) => fold(one).replaceAll(/[*?\\]/g, '\\$&'), any: '*', one: '?' })
        const column = value.isCased ? text : `TO_LOWER(${text})`
        return present(joinConditions(patterns.map((pattern) => `${column} LIKE ${quoteEsql(pattern)}`), 'OR'))
      }
      case 'number': return present(`COALESCE(TO_DOUBLE(${text}) == ${value.text ?? value.value}, false)`)
      case 'compare': return present(`COALESCE(TO_DOUBLE(${text}) ${signs[value.operator]} ${value.text ?? value.value}, false)`)
      case 'boolean': return present(`TO_LOWER(${text}) == "${value.value}"`)
      case 'null': return `${name} IS NULL`
      case 'exists': return value.isPresent ? `${name} IS NOT NULL` : `${name} IS NULL`
      case 'cidr': return present(`COALESCE(CIDR_MATCH(TO_IP(${text}), ${quoteEsql(value.text)}), false)`)
      default: return refuse(value)
    }
  },
  query: (condition, source) => `FROM ${/^[\w.*-]+$/.test(source) ? source : quoteEsql(source)} | WHERE ${condition}`,
}

function quoteEsql(text: string): string {
  const escapes: { readonly [character: string]: string } = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
  return `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll(/[\n\r\t]/g, (character) => escapes[character]!)}"`
}

/** Splunk's search command, which ignores case and knows one wildcard. */
const spl: QueryDialect = {
  and: (parts) => joinConditions(parts, 'AND'),
  or: (parts) => joinConditions(parts, 'OR'),
  not: (part) => `NOT (${part})`,
  constant: (value) => value ? '*' : 'NOT *',
  test: (field, value) => {
    const name = /^[\w.:@{}-]+$/.test(field) ? field : quoteSpl(field)
    switch (value.kind) {
      case 'text': {
        refuseCase(value.isCased)
        const patterns = printPatterns(value.pattern, { text: escapeSpl, any: '*', one: undefined })
        return joinConditions(patterns.map((pattern) => `${name}="${pattern}"`), 'OR')
      }
      case 'number': return `${name}=${value.text ?? value.value}`
      case 'compare': return `${name}${value.operator === 'eq' ? '=' : signs[value.operator]}${value.text ?? value.value}`
      case 'boolean': return `${name}="${value.value}"`
      case 'null': return `NOT ${name}=*`
      case 'exists': return value.isPresent ? `${name}=*` : `NOT ${name}=*`
      case 'cidr': return `${name}="${value.text}"`
      default: return refuse(value)
    }
  },
  query: (condition, source) => `search index=${quoteSpl(source)} ${condition}`,
}

function escapeSpl(text: string): string {
  if (text.includes('*')) throw new UnsayableError("a literal '*' (Splunk's search cannot escape it)")
  return text.replaceAll(/["\\]/g, '\\$&')
}

function quoteSpl(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}

/** Kusto, the query language of Microsoft Sentinel and Defender; texts of absent fields are empty. */
const kql: QueryDialect = {
  and: (parts) => joinConditions(parts, 'and'),
  or: (parts) => joinConditions(parts, 'or'),
  not: (part) => `not(${part})`,
  constant: (value) => String(value),
  anyTest: (field, values) => {
    const texts = values.map((value) => value.kind === 'text' && !value.isCased ? readSimplePattern(value.pattern) : undefined)
    const isExact = texts.every((one) => one !== undefined && one.text !== '' && !one.isOpenBefore && !one.isOpenAfter)
    if (!isExact) return joinConditions(values.map((value) => kql.test(field, value)), 'or')
    return `tostring(${printKqlPath(field)}) in~ (${texts.map((one) => quoteKql(one!.text)).join(', ')})`
  },
  test: (field, value) => {
    const text = `tostring(${printKqlPath(field)})`
    switch (value.kind) {
      case 'text': return printKqlText(text, value)
      case 'number': return `coalesce(todouble(${text}) == ${value.text ?? value.value}, false)`
      case 'compare': return `coalesce(todouble(${text}) ${signs[value.operator]} ${value.text ?? value.value}, false)`
      case 'boolean': return `${text} =~ '${value.value}'`
      case 'null': return `isempty(${text})`
      case 'exists': return value.isPresent ? `isnotempty(${text})` : `isempty(${text})`
      case 'cidr': return `coalesce(ipv${value.version}_is_in_range(${text}, '${value.text}'), false)`
      // Kusto's regular expressions are RE2's, too.
      case 'regex': return `(isnotempty(${text}) and ${text} matches regex ${quoteKql(printRegex(value))})`
      default: return refuse(value)
    }
  },
  query: (condition, source) => `${quoteKqlName(source)} | where ${condition}`,
}

function printKqlText(text: string, { pattern, isCased }: Extract<Test['value'], { kind: 'text' }>): string {
  const simple = readSimplePattern(pattern)
  if (simple === undefined || simple.text === '') {
    if (simple !== undefined && !simple.isOpenBefore) throw new UnsayableError('an empty text (Kusto does not tell it from an absent one)')
    if (simple !== undefined) return `isnotempty(${text})`
    const escape = (one: string): string => one.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    const expressions = printPatterns(pattern, { text: escape, any: '.*', one: '.' })
    return joinConditions(expressions.map((one) => `${text} matches regex ${quoteKql(`(?s${isCased ? '' : 'i'})^(?:${one})$`)}`), 'or')
  }
  const operator = simple.isOpenBefore ? (simple.isOpenAfter ? 'contains' : 'endswith') : simple.isOpenAfter ? 'startswith' : undefined
  if (operator === undefined) return `${text} ${isCased ? '==' : '=~'} ${quoteKql(simple.text)}`
  return `${text} ${operator}${isCased ? '_cs' : ''} ${quoteKql(simple.text)}`
}

/** A part in brackets follows without a dot: `a['b-c']`. */
function printKqlPath(field: string): string {
  return field.split('.').map(quoteKqlName).map((part, i) => i === 0 || part.startsWith('[') ? part : `.${part}`).join('')
}

function quoteKqlName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `['${name.replaceAll(/['\\]/g, '\\$&')}']`
}

function quoteKql(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`
}

export const searchDialects = { lucene, esql, spl, kql } as const
