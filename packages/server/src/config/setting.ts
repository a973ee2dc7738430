/** One setting: how it is parsed, its default, and the description printed by the help. */
export type Setting<Value> = {
  /** What stands for the value in help: `host:port`. */
  readonly argument: string
  /** Whether the command line takes it as operands, without an option. */
  readonly isOperand?: boolean
  readonly default: Value
  /** Allowed values, where the argument does not imply them. */
  readonly bound?: string
  readonly description: string
  /** @throws Error with the problem, worded to follow the setting's name. */
  readonly read: (texts: readonly string[]) => Value
}
