import type { Program } from '@tripline/common/command-line/parse-arguments'
import { suggestName } from '@tripline/engine'

/** The command line as its help, messages, completion scripts and manual pages name it. */
export const program: Program = { name: 'tripline', summary: 'Runs Sigma rules on events.', suggest: suggestName }
