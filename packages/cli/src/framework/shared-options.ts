import { fileFormatNames } from '@tripline/formats/files/file-format'

// Arguments that several commands take, defined once so that they mean the same everywhere.

/** The rules of every command that reads rules. */
export const ruleOperands = { usage: '<rules>...', help: 'Rule files, or directories of *.yml and *.yaml files.' } as const

/** Where events are read from. */
export const inputOptions = {
  input: {
    kind: 'repeated',
    otherNames: ['--file', '-f', '--events', '-e', '--evtx', '--directory', '-d', '-i'],
    value: '<path|->',
    help: 'Events: a file, a directory, a pattern such as "logs/*.ndjson", or - for stdin. Of a directory, files named *.ndjson, '
      + '*.jsonl, *.json, *.log, *.evtx, *.csv and *.tsv, also as .gz, .zst, .bz2 and .xz, and others that begin with events. '
      + 'May be repeated. Default: -.',
  },
  logsource: {
    kind: 'text',
    value: '<product=x,...>',
    help: 'The log source of events that declare none in _logsource: product, category and service, such as product=linux,service=sshd.',
  },
  mapping: {
    kind: 'text',
    value: '<file.yml>',
    help: 'A mapping of events: for each source its log source, renamed fields, constants, time and types (docs/guide/mapping.md).',
  },
  'input-format': {
    kind: 'choice',
    choices: ['auto', ...fileFormatNames],
    default: 'auto',
    help: 'The format of the events; auto recognises it, and compression and UTF-16, by the first bytes of each file. json is arrays, '
      + 'pages such as {"Records":[]} and objects over several lines, w3c also Zeek, syslog also CEF and LEEF, logfmt '
      + 'any lines of key=value.',
  },
} as const

/** How much of the input may be no events. */
export const malformedOptions = {
  'allow-malformed': {
    kind: 'text',
    value: '<share>',
    help: 'The largest share of lines, from 0 to 1, that may be malformed; with more, the run ends with 65. '
      + 'Default: any share, unless no line holds an event.',
  },
} as const

/** How events are read: their log source and field names. */
export const engineOptions = {
  taxonomy: {
    kind: 'choice',
    choices: ['auto', 'none'],
    default: 'auto',
    help: 'auto recognises Windows events, ECS and other shapes, and finds their log source and Sigma field names; '
      + 'none uses events as they are.',
  },
  lenient: { kind: 'flag', help: 'Runs every rule on events whose log source is unknown.' },
} as const

/** How rules are read. */
export const ruleOptions = {
  placeholders: {
    kind: 'text',
    value: '<file.json>',
    help: 'The values of placeholders: {"admins":["alice","bob"]} for %admins%.',
  },
  pipeline: {
    short: 'p', kind: 'repeated',
    value: '<file.yml>',
    help: 'A processing pipeline in the YAML of pySigma, which rewrites field names, values, conditions and log sources of the rules. '
      + 'May be repeated; they run in the order of their priorities.',
  },
  'array-syntax': {
    kind: 'flag',
    help: 'Reads field[any], field[all] and field[0] in all rules as list elements, as "sigma-version: 3" does.',
  },
} as const
