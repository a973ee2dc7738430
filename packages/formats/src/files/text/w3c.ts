import { decodeLines } from './read-lines.ts'
import type { TextLine } from './read-lines.ts'

/** Decodes the extended log format of W3C, which IIS and many proxies write, and the tables of Zeek. */
export const decodeW3c = decodeLines(() => {
  const table = new DirectiveTable()
  return (line) => table.readLine(line)
})

/** Rows whose columns are named by a directive, which may come again. */
class DirectiveTable {
  #fields: readonly string[] = []
  #separator: string | undefined
  #path: string | undefined
  #date: string | undefined

  readLine(line: string): TextLine {
    if (line.trim() === '') return undefined
    if (line.startsWith('#')) return this.#readDirective(line.slice(1))
    if (this.#fields.length === 0) return { problem: 'no line before names the fields' }
    const cells = this.#separator === undefined ? splitCells(line) : line.split(this.#separator)
    if (cells.length !== this.#fields.length) {
      return { problem: `the line has ${cells.length} values for ${this.#fields.length} fields` }
    }
    return { event: this.#separator === undefined ? this.#readW3c(cells) : this.#readZeek(cells) }
  }

  #readDirective(directive: string): undefined {
    const fields = /^fields:?\s+(.*)$/i.exec(directive)?.[1]
    if (fields !== undefined) this.#fields = fields.trim().split(this.#separator ?? /\s+/)
    const separator = /^separator (?:\\x([\da-f]{2})|(.))/i.exec(directive)
    if (separator !== null) this.#separator = separator[2] ?? String.fromCodePoint(Number.parseInt(separator[1]!, 16))
    this.#path = /^path\s+(\S+)/i.exec(directive)?.[1] ?? this.#path
    this.#date = /^date:?\s+(\d{4}-\d\d-\d\d)/i.exec(directive)?.[1] ?? this.#date
    return undefined
  }

  #readW3c(cells: readonly string[]): object {
    const event = new Map<string, string>()
    for (const [i, cell] of cells.entries()) {
      if (cell === '-') continue
      const name = this.#fields[i]!
      event.set(name, cell)
      // Rules name headers without the parentheses: cs-user-agent for cs(User-Agent), in which IIS writes blanks as plus.
      const header = /^(c?s?c?)\(([\w-]+)\)$/.exec(name)
      if (header !== null) event.set(`${header[1]}-${header[2]!.toLowerCase()}`, cell.replaceAll('+', ' '))
    }
    const date = event.get('date') ?? this.#date
    const time = event.get('time')
    const isDated = date !== undefined && time !== undefined && /^\d{4}-\d\d-\d\d$/.test(date) && /^\d\d:\d\d:\d\d/.test(time)
    return { ...(isDated && { '@timestamp': `${date}T${time}Z` }), ...Object.fromEntries(event) }
  }

  #readZeek(cells: readonly string[]): object {
    const event = cells.flatMap((cell, i) => cell === '-' ? [] : [[this.#fields[i]!, cell === '(empty)' ? '' : cell] as const])
    return { ...(this.#path !== undefined && { _path: this.#path }), ...Object.fromEntries(event) }
  }
}

/** Splits at blanks; a quoted value may hold them. */
function splitCells(line: string): string[] {
  if (!line.includes('"')) return line.trim().split(/ +/)
  return [...line.matchAll(/"((?:[^"]|"")*)"|(\S+)/g)].map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '')
}
