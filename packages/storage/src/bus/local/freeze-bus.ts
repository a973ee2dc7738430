import type { FileSystem } from '../../disk/file-system.ts'
import { HeldLog } from '../../log/held-log.ts'
import type { FrozenFile } from '../../log/held-log.ts'

/**
 * Freezes the files of a bus that another process may be writing. Committed offsets are taken first: messages behind them
 * are there then, and those that are delivered again are known by their offset.
 */
export class BusFreeze {
  readonly #disk: FileSystem
  readonly #topics = new Map<string, HeldLog>()
  readonly #commits: HeldLog
  #frozenCommits: readonly FrozenFile[] = []

  constructor(disk: FileSystem) {
    this.#disk = disk
    this.#commits = new HeldLog(disk, 'commits')
  }

  /** Holds the topics and freezes the committed offsets: messages that are removed from now on are not lost. */
  async hold(): Promise<void> {
    await this.#holdTopics()
    this.#frozenCommits = await this.#commits.freeze()
  }

  /**
   * Freezes the topics; those of `last` at the end, in this order. A topic from which others are filled comes behind them, so
   * that no offset that they know is given to another message.
   */
  async freeze(last: readonly string[]): Promise<readonly FrozenFile[]> {
    await this.#holdTopics()
    const names = [...this.#topics.keys()].filter((name) => !last.includes(name))
    const files: FrozenFile[] = [...this.#frozenCommits]
    for (const name of [...names, ...last]) files.push(...await this.#topics.get(name)?.freeze() ?? [])
    return files
  }

  async close(): Promise<void> {
    await this.#commits.close()
    for (const topic of this.#topics.values()) await topic.close()
  }

  async #holdTopics(): Promise<void> {
    for (const name of await this.#disk.list('topics')) {
      const topic = this.#topics.get(name) ?? new HeldLog(this.#disk, `topics/${name}`)
      this.#topics.set(name, topic)
      await topic.hold()
    }
  }
}
