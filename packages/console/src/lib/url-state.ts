/** How one parameter of an address is read and written; `parse` returns undefined for a value that is not one. */
type Parameter<Value> = { parse(text: string): Value | undefined; print(value: Value): string }

/** The parameters that a page reads, by name. */
export type ParameterTable = { readonly [name: string]: Parameter<unknown> }

/** The parameters of an address as values; an absent one is undefined. */
export type UrlState<Table extends ParameterTable> = {
  readonly [Name in keyof Table]?: (Table[Name] extends Parameter<infer Value> ? Value : never) | undefined
}

/** Any text that is not empty. */
export const textParameter: Parameter<string> = { parse: (text) => (text === '' ? undefined : text), print: (value) => value }

/** One of a few words. */
export function wordParameter<Word extends string>(words: readonly Word[]): Parameter<Word> {
  return { parse: (text) => words.find((word) => word === text), print: (value) => value }
}

/** Several of a few words, comma-separated, in the order of `words`. */
export function wordListParameter<Word extends string>(words: readonly Word[]): Parameter<readonly Word[]> {
  return {
    parse: (text) => {
      const parts = text.split(',')
      const known = words.filter((word) => parts.includes(word))
      return known.length === 0 || parts.some((part) => !words.some((word) => word === part)) ? undefined : known
    },
    print: (value) => value.join(','),
  }
}

/** Several texts without commas. */
export const textListParameter: Parameter<readonly string[]> = {
  parse: (text) => {
    const parts = text.split(',').filter((part) => part !== '')
    return parts.length === 0 ? undefined : parts
  },
  print: (value) => value.join(','),
}

/** A time: ISO 8601 in UTC, or relative to now, such as `-24h`. */
export const timeParameter: Parameter<string> = {
  parse: (text) => (/^-\d{1,5}[mhd]$/.test(text) || isIsoTime(text) ? text : undefined),
  print: (value) => value,
}

function isIsoTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/.test(text) && !Number.isNaN(Date.parse(text))
}

/** `field:asc` or `field:desc` with one of a few fields. */
export function sortParameter<Field extends string>(fields: readonly Field[]): Parameter<Sort<Field>> {
  return {
    parse: (text) => {
      const [name, direction] = text.split(':')
      const field = fields.find((one) => one === name)
      if (field === undefined || (direction !== 'asc' && direction !== 'desc')) return undefined
      return { field, direction }
    },
    print: ({ field, direction }) => `${field}:${direction}`,
  }
}

export type Sort<Field extends string> = { readonly field: Field; readonly direction: 'asc' | 'desc' }

/** Reads the parameters of an address; `dropped` names those whose value is not one. */
export function parseUrlState<Table extends ParameterTable>(
  table: Table,
  search: string,
): { readonly state: UrlState<Table>; readonly dropped: readonly string[] } {
  const given = new URLSearchParams(search)
  const state: { [name: string]: unknown } = {}
  const dropped: string[] = []
  for (const [name, parameter] of Object.entries(table)) {
    const text = given.get(name)
    if (text === null) continue
    const value = parameter.parse(text)
    if (value === undefined) dropped.push(name)
    else state[name] = value
  }
  return { state: state as UrlState<Table>, dropped }
}

/** Writes a state into an address; parameters that the table does not name are kept, undefined ones are removed. */
export function printUrlState<Table extends ParameterTable>(table: Table, state: UrlState<Table>, search = ''): string {
  const written = new URLSearchParams(search)
  for (const [name, parameter] of Object.entries(table)) {
    const value = state[name]
    if (value === undefined) written.delete(name)
    else written.set(name, parameter.print(value))
  }
  return printSearch(written)
}

/** The query of an address. It is read by people: what needs no escape in a query stays as it is. */
export function printSearch(parameters: URLSearchParams): string {
  return parameters.toString().replaceAll('%2C', ',').replaceAll('%3A', ':')
}
