import { exitCodes } from '@tripline/common/exit-error'
import { dataDirOptions, publicUrlOption, withDataDir } from '../../data-dir/with-data-dir.ts'
import { defineCommand } from '../../framework/command.ts'
import type { Command } from '../../framework/command.ts'
import { writeText } from '../../framework/write-text.ts'
import { tenantOption } from './admin-command.ts'
import { checkTenant } from './admin-user.ts'

/** Issues an access token for a user, for scripts and measurements. */
export const adminTokenCommand: Command = defineCommand({
  name: 'admin token create',
  needsServer: true,
  summary: 'Issues an access token for a user, without a password.',
  options: {
    ...dataDirOptions,
    ...tenantOption,
    user: { kind: 'text', value: '<address>', required: true, help: 'The e-mail address of the user.' },
    ...publicUrlOption,
    json: { kind: 'flag', help: 'Prints one JSON object: {"access_token","token_type","expires_in","expires_at"}.' },
  },
  notes: [
    'The token is valid for 15 minutes. It has its own session, and the audit trail of the tenant records it.',
    'Exit codes: 0 done; 1 refused: the user does not exist or is disabled; 2 wrong arguments; '
      + '66 the data directory cannot be used.',
  ],
  async run({ options }, context) {
    const { commandLinePrincipal, issueToken } = await import('@tripline/server/admin')
    const use = { directory: options['data-dir'], creates: false, publicUrl: options['public-url'] ?? '' }
    const { text, expiresAt } = await withDataDir(use, context, async (installation) => {
      await checkTenant(installation, options.tenant)
      return await issueToken(installation, commandLinePrincipal(options.tenant), options.user)
    })
    const expires_in = Math.floor((expiresAt - context.wallClock()) / 1_000)
    const printed = { access_token: text, token_type: 'Bearer', expires_in, expires_at: new Date(expiresAt).toISOString() }
    await writeText(context.stdout, options.json ? `${JSON.stringify(printed)}\n` : `${text}\n`)
    return exitCodes.ok
  },
})
