import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import { readAddress } from '../config/read-setting.ts'
import { printAddress } from '../config/settings.ts'
import type { Config } from '../config/settings.ts'
import type { TlsFiles } from '../config/tls-files.ts'
import { HttpListener } from './http-listener.ts'
import type { HttpListenerOptions } from './http-listener.ts'

/** The open listeners of a server, as one. */
type Listeners = {
  /** Of the main listener. */
  readonly port: number
  readonly address: string
  readonly useTls: (files: TlsFiles) => void
  readonly close: (graceMs: number) => Promise<void>
}

/** OTLP at its own path, which on the main listener is below that of the console. */
const otlpPaths: ReadonlyMap<string, string> = new Map([['/v1/logs', '/ingest/otlp/v1/logs']])
/** The share of the connections that the listener for OTLP may hold, where there is one. */
const otlpShare = 0.25

/** Opens the main listener, and one for OTLP where it has an address. @throws ExitError 78 for an unusable address. */
export async function openListeners(config: Config, options: HttpListenerOptions, log: Log): Promise<Listeners> {
  const otlpMax = config.otlpListen === '' ? 0 : Math.max(1, Math.floor(options.connectionsMax * otlpShare))
  const mainMax = Math.max(1, options.connectionsMax - otlpMax)
  options.monitor.connectionsMax = mainMax + otlpMax
  const main = new HttpListener(config, { ...options, connectionsMax: mainMax })
  const { port, address } = await main.listen(config.listen)
  log.info('listening', { address: printAddress({ host: address, port }) })
  const listeners = [main]
  if (otlpMax > 0) {
    const otlp = new HttpListener(config, { ...options, connectionsMax: otlpMax, paths: otlpPaths })
    const opened = await otlp.listen(readAddress(config.otlpListen), '--otlp-listen').catch(async (error: unknown) => {
      await main.close(0)
      throw error
    })
    log.info('listening for OTLP', { address: printAddress({ host: opened.address, port: opened.port }) })
    listeners.push(otlp)
  }
  for (const listener of listeners) listener.onError((error) => log.error('the HTTP listener failed', { error: getErrorMessage(error) }))
  return {
    port, address,
    useTls: (files) => {
      for (const listener of listeners) listener.useTls(files)
    },
    close: async (graceMs) => void await Promise.all(listeners.map((listener) => listener.close(graceMs))),
  }
}
