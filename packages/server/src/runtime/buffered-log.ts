type BufferedLogOptions = {
  /** Writes text; called again only when the last call has settled. */
  readonly write: (text: string) => Promise<void>
  /** Characters that may wait to be written; beyond them lines are dropped. */
  readonly lengthMax: number
}

/** Writes the lines of a log in order and asynchronously, so that no request waits for a slow reader; lines beyond a bound are dropped. */
export class BufferedLog {
  readonly #options: BufferedLogOptions
  #lines: string[] = []
  #length = 0
  #writing: Promise<void> | undefined
  #droppedCount = 0
  /** Dropped lines that the log does not name yet. */
  #unnamedCount = 0

  constructor(options: BufferedLogOptions) {
    this.#options = options
  }

  /** The lines that were dropped since the start. */
  get droppedCount(): number {
    return this.#droppedCount
  }

  add(line: string): void {
    if (this.#length + line.length > this.#options.lengthMax) {
      this.#drop(1)
      return
    }
    this.#lines.push(line)
    this.#length += line.length + 1
    this.#writing ??= this.#write()
  }

  /** Resolves when all lines are written, or dropped because they could not be. */
  async flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing
  }

  async #write(): Promise<void> {
    // What is logged in the same turn is one write.
    await Promise.resolve()
    while (this.#lines.length > 0) {
      const lines = this.#lines
      const unnamedCount = this.#unnamedCount
      this.#lines = []
      this.#unnamedCount = 0
      if (unnamedCount > 0) lines.push(JSON.stringify({ level: 'warn', message: 'lines of the log were dropped', count: unnamedCount }))
      try {
        await this.#options.write(`${lines.join('\n')}\n`)
      } catch {
        // The log has no reader any more, and only the metrics can say so.
        this.#drop(lines.length)
        this.#unnamedCount = 0
      }
      this.#length = this.#lines.reduce((sum, { length }) => sum + length + 1, 0)
    }
    this.#writing = undefined
  }

  #drop(count: number): void {
    this.#droppedCount += count
    this.#unnamedCount += count
  }
}
