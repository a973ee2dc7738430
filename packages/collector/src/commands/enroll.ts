import { getErrorMessage } from '@tripline/common/error-message'
import { ExitError, exitCodes, usageError } from '@tripline/common/exit-error'
import { readFile } from 'node:fs/promises'
import { arch, hostname, platform, release } from 'node:os'
import { readCredential, writeCredential } from '../config/credential.ts'
import { readConfiguration } from '../config/read-config.ts'
import { describeReply, postJson } from '../delivery/server-client.ts'
import { readCollectorVersion } from '../version.ts'
import { configOption, defineCollectorCommand } from './command.ts'
import type { CollectorCommand } from './command.ts'

/** Enrols this machine with a one-time token and stores its credential. */
export const enrollCommand: CollectorCommand = defineCollectorCommand({
  name: 'enroll',
  summary: 'Enrols this collector with a one-time token.',
  options: {
    ...configOption,
    token: { kind: 'text', value: '<token>', required: true, help: 'The token, or file:<path> of a file with it.' },
    url: { kind: 'text', value: '<url>', help: 'The address of the server, to be sure that it is the one of the configuration.' },
    force: { kind: 'flag', help: 'Enrols a collector that is enrolled already again, as another one.' },
    json: { kind: 'flag', help: 'Prints one JSON object: {"collector_id","name"}.' },
  },
  notes: ['Exit codes: 0 enrolled; 1 refused, or the server cannot be reached; 2 wrong arguments; 78 the configuration is invalid.'],
  run: async ({ options: { config: path, url, token, force, json: isJson } }, io) => {
    const { collector, ca } = await readConfiguration(path, io.environment)
    if (url !== undefined && url !== collector.server.url) {
      throw usageError(`--url ${url} is not server.url of ${path}: ${collector.server.url}`)
    }
    if (!force && await readCredential(collector.data_dir) !== undefined) {
      throw new ExitError(exitCodes.refused, 'the collector is enrolled already; --force enrols it again as another one')
    }
    const secret = token.startsWith('file:') ? (await readFile(token.slice('file:'.length), 'utf8')).trim() : token
    const os = `${platform()} ${release()} ${arch()}`
    const body = { token: secret, hostname: hostname(), version: readCollectorVersion(), os, os_family: platform() }
    const reply = await postJson({ url: collector.server.url, ca }, '/v1/collectors/enrol', body).catch((error: unknown) => {
      throw new ExitError(exitCodes.refused, `the server cannot be reached: ${getErrorMessage(error)}`, { cause: error })
    })
    if (reply.status !== 201) throw new ExitError(exitCodes.refused, describeReply(reply))
    const { collector_id: collectorId, credential, name } = reply.body
    await writeCredential(collector.data_dir, { collectorId: String(collectorId), credential: String(credential) })
    io.printLine(isJson ? JSON.stringify({ collector_id: collectorId, name }) : `enrolled as ${String(name)} (${String(collectorId)})`)
    return exitCodes.ok
  },
})
