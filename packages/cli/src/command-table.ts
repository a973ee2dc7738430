import { installationKeyCommands } from './commands/admin/admin-installation-keys.ts'
import { keyCommands } from './commands/admin/admin-key.ts'
import { signingKeyCommand } from './commands/admin/admin-signing-key.ts'
import { tenantCommands } from './commands/admin/admin-tenant.ts'
import { adminTokenCommand } from './commands/admin/admin-token.ts'
import { userCommands } from './commands/admin/admin-user.ts'
import { auditVerifyCommand } from './commands/audit-verify.ts'
import { backupCommands } from './commands/backup.ts'
import { benchCommand } from './commands/bench.ts'
import { convertCommand } from './commands/convert.ts'
import { detectCommand } from './commands/detect.ts'
import { explainCommand } from './commands/explain.ts'
import { huntCommand } from './commands/hunt.ts'
import { ingestCommand } from './commands/ingest.ts'
import { languageServerCommand } from './commands/language-server.ts'
import { limitsCommand } from './commands/limits-command.ts'
import { createMcpCommand } from './commands/mcp.ts'
import { readyCommand } from './commands/ready.ts'
import { reportCommand } from './commands/report.ts'
import { rulesCheckCommand } from './commands/rules/rules-check.ts'
import { rulesCostCommand } from './commands/rules/rules-cost.ts'
import { rulesCoverageCommand } from './commands/rules/rules-coverage.ts'
import { rulesDraftCommand } from './commands/rules/rules-draft.ts'
import { rulesHealthCommand } from './commands/rules/rules-health.ts'
import { rulesLintCommand } from './commands/rules/rules-lint.ts'
import { rulesSchemaCommand } from './commands/rules/rules-schema.ts'
import { rulesTestCommand } from './commands/rules/rules-test.ts'
import { rulesTuneCommand } from './commands/rules/rules-tune.ts'
import { rulesUpdateCommand } from './commands/rules/rules-update.ts'
import { searchCommand } from './commands/search.ts'
import { serveCommand } from './commands/serve.ts'
import { taxonomyCommand } from './commands/taxonomy.ts'
import { tokenCommands } from './commands/admin/token.ts'
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
  rulesCoverageCommand,
  rulesDraftCommand,
  rulesTuneCommand,
  rulesSchemaCommand,
  rulesUpdateCommand,
  explainCommand,
  convertCommand,
  taxonomyCommand,
  ingestCommand,
  searchCommand,
  huntCommand,
  verifyCommand,
  ...backupCommands,
  reportCommand,
  benchCommand,
  serveCommand,
  readyCommand,
  watchCommand,
  ...tenantCommands,
  ...userCommands,
  ...keyCommands,
  ...installationKeyCommands,
  signingKeyCommand,
  adminTokenCommand,
  ...tokenCommands,
  auditVerifyCommand,
  limitsCommand,
  languageServerCommand,
]

const servedCommands: readonly Command[] = [...workCommands, createMcpCommand(workCommands)]

/** All commands, in the order of the overview. */
export const commands: readonly Command[] = [...servedCommands, ...createShellCommands(servedCommands)]
