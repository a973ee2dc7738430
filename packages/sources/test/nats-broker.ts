import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killProgram } from './kill-program.ts'

/** Whether the server of NATS is on this machine; tests with it are skipped elsewhere. */
export const hasNats = spawnSync('nats-server', ['--version'], { env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` } }).status === 0

/** A server of NATS with JetStream on a loopback port, which keeps its streams over restarts. */
export class NatsBroker {
  readonly #folder: string
  readonly #config: string
  #child: ChildProcess | undefined
  #port = -1

  private constructor(folder: string, config: string) {
    this.#folder = folder
    this.#config = config
  }

  /** @param config More of the server's configuration, such as its users. */
  static async start(config = ''): Promise<NatsBroker> {
    const broker = new NatsBroker(await mkdtemp(join(tmpdir(), 'tripline-nats-')), config)
    await broker.resume()
    return broker
  }

  get url(): string {
    return `nats://127.0.0.1:${this.#port}`
  }

  get port(): number {
    return this.#port
  }

  /** Starts the server again, on the same port with what it kept. */
  async resume(): Promise<void> {
    const file = join(this.#folder, 'nats.conf')
    const jetStream = `jetstream { store_dir: "${this.#folder}/store" }`
    await writeFile(file, `listen: "127.0.0.1:${this.#port}"\nports_file_dir: "${this.#folder}"\n${jetStream}\n${this.#config}\n`)
    const child = spawn('nats-server', ['-c', file], {
      stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` },
    })
    this.#child = child
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let log = ''
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString('utf8')
      if (log.includes('Server is ready')) resolve()
    })
    child.once('close', () => reject(new Error(`nats-server ended: ${log.slice(-500)}`)))
    await promise
    const found = /Listening for client connections on 127\.0\.0\.1:(\d+)/.exec(log)?.[1]
    this.#port = Number(found)
  }

  /** Kills the server. */
  async kill(): Promise<void> {
    await killProgram(this.#child)
  }

  async close(): Promise<void> {
    await this.kill()
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Makes a stream for subjects. */
  async addStream(name: string, subjects: readonly string[], login: object = {}): Promise<void> {
    const connection = await connect({ servers: this.url, ...login })
    const manager = await jetstreamManager(connection)
    await manager.streams.add({ name, subjects: [...subjects] })
    await connection.close()
  }

  /** Makes a durable consumer as another program may have: by default one that delivers again soon. */
  async addConsumer(stream: string, name: string, policy: 'explicit' | 'none' = 'explicit'): Promise<void> {
    const connection = await connect({ servers: this.url })
    const soon = { ack_policy: AckPolicy.Explicit, ack_wait: 500_000_000 }
    const config = policy === 'none' ? { ack_policy: AckPolicy.None } : soon
    await (await jetstreamManager(connection)).consumers.add(stream, { durable_name: name, ...config })
    await connection.close()
  }

  async publish(subject: string, texts: readonly string[], login: object = {}): Promise<void> {
    const connection = await connect({ servers: this.url, ...login })
    const client = jetstream(connection)
    for (const text of texts) await client.publish(subject, text)
    await connection.close()
  }

  /** Messages of a consumer that were not acknowledged, or not even delivered. */
  async countPending(stream: string, consumer: string): Promise<number> {
    const connection = await connect({ servers: this.url })
    const { num_pending: pending, num_ack_pending: unacknowledged } = await (await jetstreamManager(connection)).consumers.info(stream, consumer)
    await connection.close()
    return pending + unacknowledged
  }
}
