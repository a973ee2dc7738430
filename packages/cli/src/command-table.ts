import { installationKeyCommands } from './commands/admin-installation-keys.ts'
import { keyCommands } from './commands/admin-key.ts'
import { tenantCommands } from './commands/admin-tenant.ts'
import { adminTokenCommand } from './commands/admin-token.ts'
import { userCommands } from './commands/admin-user.ts'
import { auditVerifyCommand } from './commands/audit-verify.ts'
import { benchCommand } from './commands/bench.ts'
import { detectCommand } from './commands/detect.ts'
import { explainCommand } from './commands/explain.ts'
import { huntCommand } from './commands/hunt.ts'
import { ingestCommand } from './commands/ingest.ts'
import { limitsCommand } from './commands/limits-command.ts'
import { readyCommand } from './commands/ready.ts'
import { rulesCheckCommand } from './commands/rules-check.ts'
import { rulesCostCommand } from './commands/rules-cost.ts'
import { rulesHealthCommand } from './commands/rules-health.ts'
import { rulesLintCommand } from './commands/rules-lint.ts'
import { rulesTestCommand } from './commands/rules-test.ts'
import { searchCommand } from './commands/search.ts'
import { serveCommand } from './commands/serve.ts'
import { tokenCommands } from './commands/token.ts'
import { verifyCommand } from './commands/verify.ts'
import { watchCommand } from './commands/watch.ts'
import { createShellCommands } from './commands/shell-commands.ts'
import type { Command } from './framework/command.ts'

const workCommands: readonly Command[] = [
  detectCommand,
  rulesCheckCommand,
  rulesLintCommand,
  rulesTestCommand,
  rulesCostCommand,
  rulesHealthCommand,
  explainCommand,
  ingestCommand,
  searchCommand,
  huntCommand,
  verifyCommand,
  benchCommand,
  serveCommand,
  readyCommand,
  watchCommand,
  ...tenantCommands,
  ...userCommands,
  ...keyCommands,
  ...installationKeyCommands,
  adminTokenCommand,
  ...tokenCommands,
  auditVerifyCommand,
  limitsCommand,
]

/** All commands, in the order of the overview. */
export const commands: readonly Command[] = [...workCommands, ...createShellCommands(workCommands)]
