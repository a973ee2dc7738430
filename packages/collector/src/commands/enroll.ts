import { getErrorMessage } from '@tripline/common/error-message'
import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { readFile } from 'node:fs/promises'
import { arch, hostname, platform, release } from 'node:os'
import { readCredential, writeCredential } from '../config/credential.ts'
import { readConfiguration } from '../config/read-config.ts'
import { describeReply, postJson } from '../delivery/server-client.ts'
import { readCollectorVersion } from '../version.ts'
import type { CollectorCommand } from './command.ts'

/** Enrols this machine with a one-time token and stores its credential. */
export const enrollCommand: CollectorCommand = {
  summary: 'Enrols this collector with a one-time token.', usage: '--token TOKEN [--url URL] [--force]', wordCount: 0,
  options: { url: { type: 'string' }, token: { type: 'string' }, force: { type: 'boolean' } },
  run: async ({ config: path, options: { url, token, force } }, io) => {
    const { collector, ca } = await readConfiguration(path, io.environment)
    if (typeof token !== 'string') throw new ExitError(exitCodes.usage, 'enroll needs --token TOKEN, or --token file:PATH')
    if (url !== undefined && url !== collector.server.url) {
      throw new ExitError(exitCodes.usage, `--url ${String(url)} is not server.url of ${path}: ${collector.server.url}`)
    }
    if (force !== true && await readCredential(collector.data_dir) !== undefined) {
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
    io.printLine(`enrolled as ${String(name)} (${String(collectorId)})`)
    return exitCodes.ok
  },
}
