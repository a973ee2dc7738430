// Options that several commands take, written down once so that they mean the same everywhere.

/** Which rules run on which events. */
export const inputOptions = {
  rules: {
    kind: 'list',
    value: '<file|dir>...',
    required: true,
    help: 'Rule files, or directories of *.yml and *.yaml.',
  },
  input: { kind: 'text', value: '<file|->', default: '-', help: 'Events as NDJSON, plain or gzip; - is stdin.' },
} as const

/** How events are read: their logsource and field names. */
export const engineOptions = {
  taxonomy: {
    kind: 'choice',
    choices: ['auto', 'none'],
    default: 'auto',
    help: 'auto knows the field names and logsources of Windows events, ECS and others by their shape; '
      + 'none takes events as they are.',
  },
  lenient: { kind: 'flag', help: 'Tries every rule on events whose logsource is unknown.' },
} as const

/** How rules are read. */
export const ruleOptions = {
  placeholders: {
    kind: 'text',
    value: '<file.json>',
    help: 'Values of placeholders: {"admins":["alice","bob"]} for %admins%.',
  },
  'array-syntax': {
    kind: 'flag',
    help: 'Reads field[any], field[all] and field[0] in rules as elements of lists, as rules of "sigma-version: 3" do.',
  },
} as const
