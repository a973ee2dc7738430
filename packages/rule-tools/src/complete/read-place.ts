/** Where a cursor is in the text of a rule. */
export type Place = {
  /** The keys that lead to it; without the one that is being written. */
  readonly path: readonly string[]
  /** Whether a key is being written, and not a value. */
  readonly isKey: boolean
  /** The word before the cursor. */
  readonly word: string
  /** The field whose modifier is being written. */
  readonly modifiedField: string | undefined
  /** Names of the selections of the rule. */
  readonly selections: readonly string[]
}

/** A line as YAML's block style has it: indentation, dashes of lists, a key. */
const blockLine = /^( *)((?:- +)*)(?:(['"]?)([^'":#][^'":]*)\3:(?:\s|$))?/

/** Finds the place of an offset by the indentation of the lines before it. */
export function readPlace(text: string, offset: number): Place {
  const lines = text.slice(0, offset).split('\n')
  const line = lines.at(-1) ?? ''
  const before = readPath(lines.slice(0, -1), measureIndent(line))
  const selections = listSelections(text.split('\n'), lines.length - 1)
  const [, key, value] = /^ *(?:- +)*([^:{[]*?): +(.*)$/.exec(line) ?? []
  const rest = value ?? line.replace(/^ *(?:- +)*/, '')
  const flow = readFlow(rest)
  const isKey = flow?.isKey ?? (value === undefined && !isListValue(line, before))
  const typed = flow?.typed ?? rest
  const [field, ...modifiers] = isKey ? typed.split('|') : [typed]
  const modifiedField = modifiers.length > 0 ? field : undefined
  const word = modifiedField === undefined ? (/[^\s'"(),[\]{}]*$/.exec(typed)?.[0] ?? '') : (modifiers.at(-1) ?? '')
  const path = [...before, ...(key === undefined ? [] : [key]), ...(flow?.keys ?? [])]
  return { path, isKey, word, modifiedField, selections }
}

type Flow = { readonly keys: readonly string[]; readonly isKey: boolean; readonly typed: string }

/** Where the end of a text is within maps and lists of one line, such as `{ Image: a, User|`; undefined outside of them. */
function readFlow(text: string): Flow | undefined {
  const open: { readonly isMap: boolean; key: string | undefined }[] = []
  let typed = ''
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|'[^']*'|:(?=\s)|[^]/g)) {
    const inner = open.at(-1)
    if (part === '{' || part === '[') open.push({ isMap: part === '{', key: undefined })
    else if (inner === undefined) return undefined
    else if (part === '}' || part === ']') open.pop()
    else if (part === ',') inner.key = undefined
    else if (part === ':' && inner.isMap && inner.key === undefined) inner.key = typed.trim()
    else {
      typed += part
      continue
    }
    typed = ''
  }
  const inner = open.at(-1)
  if (inner === undefined) return undefined
  const keys = open.flatMap(({ key }) => key === undefined ? [] : [key])
  return { keys, isKey: inner.isMap && inner.key === undefined, typed: typed.trimStart() }
}

/** Whether a list item is a value: below `tags`, say, and not a map of fields below a selection. */
function isListValue(line: string, path: readonly string[]): boolean {
  return /^ *- /.test(line) && !(path.length === 2 && (path[0] === 'detection' || path[0] === 'filter'))
}

/** The column of what a line holds after its dashes. */
function measureIndent(line: string): number {
  return /^ *(?:- +)*/.exec(line)?.[0].length ?? 0
}

/** The keys above a column, by indentation. */
function readPath(lines: readonly string[], indent: number): readonly string[] {
  let keys: { readonly column: number; readonly key: string }[] = []
  for (const line of lines) {
    if (line.startsWith('---')) keys = []
    const [, spaces = '', dashes = '', , key] = blockLine.exec(line) ?? []
    const column = spaces.length + dashes.length
    if (key !== undefined) keys = [...keys.filter((one) => one.column < column), { column, key }]
  }
  return keys.filter(({ column }) => column < indent).map(({ key }) => key)
}

/** The names of the selections of the document around a line. */
function listSelections(lines: readonly string[], current: number): readonly string[] {
  const start = lines.findLastIndex((line, index) => index <= current && /^(?:detection|filter):/.test(line))
  const names = new Set<string>()
  let column: number | undefined
  for (const line of start < 0 ? [] : lines.slice(start + 1)) {
    if (/^[^\s#]/.test(line)) break
    const [, spaces = '', dashes = '', , key] = blockLine.exec(line) ?? []
    if (key === undefined || dashes !== '') continue
    column ??= spaces.length
    if (spaces.length === column && key !== 'condition' && key !== 'timeframe') names.add(key)
  }
  return [...names]
}
