import type { Command } from '../../framework/command.ts'
import { defineAdminCommand } from './admin-command.ts'

/** Rotates the keys that sign tokens. */
export const signingKeyCommand: Command = defineAdminCommand({
  name: 'signing-key rotate',
  summary: 'Rotates the key that signs tokens, without logging anyone out.',
  options: {},
  notes: [
    'A running server signs with the new key within five seconds. The old one verifies until the last token that it signed has '
      + 'expired. The server rotates it by itself every --signing-key-days. Keep a new copy of the keys: tripline admin '
      + 'installation-keys export, or a backup.',
  ],
  async run(installation) {
    const { commandLinePrincipal, rotateSigningKey } = await import('@tripline/server/admin')
    const { keyId, retiredCount } = await rotateSigningKey(installation, commandLinePrincipal('default'))
    return { key_id: keyId, retired: retiredCount }
  },
  lines: ({ key_id: id, retired }) => [`signing with ${id}; ${retired} older ${retired === 1 ? 'key verifies' : 'keys verify'}`],
})
