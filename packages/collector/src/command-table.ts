import type { CollectorCommand } from './commands/command.ts'
import { logsCommand, reloadCommand, statusCommand } from './commands/control-commands.ts'
import { enrollCommand } from './commands/enroll.ts'
import { runCommand } from './commands/run.ts'
import { createCollectorShellCommands } from './commands/shell-commands.ts'
import { testCommand } from './commands/test-source.ts'

const ownCommands = [runCommand, reloadCommand, statusCommand, logsCommand, testCommand, enrollCommand]

/** All commands of `tripline-collector`, in the order of the overview. */
export const commands: readonly CollectorCommand[] = [...ownCommands, ...createCollectorShellCommands(ownCommands)]
