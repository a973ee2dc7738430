import type { Runtime } from '@tripline/common/runtime'

/** What a command reads of its line. */
type CommandArguments = {
  /** The path of `collector.yaml`. */
  readonly config: string
  readonly options: { readonly [name: string]: string | boolean | undefined }
  readonly words: readonly string[]
}

/** A command of `tripline-collector`; it resolves with the exit code. */
export type CollectorCommand = {
  readonly summary: string
  /** Such as `[-f] [-n N]`. */
  readonly usage: string
  readonly options: { readonly [name: string]: { readonly type: 'string' | 'boolean'; readonly short?: string } }
  /** Words behind the options. */
  readonly wordCount: number
  readonly run: (args: CommandArguments, io: Runtime) => Promise<number>
}
