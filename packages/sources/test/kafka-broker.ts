import { Kafka, logLevel } from 'kafkajs'
import { execFile, execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { killProgram } from './kill-program.ts'

/** A folder with the jars of `org.apache.kafka:kafka_2.13`; without it tests with a cluster are skipped. */
const jars = process.env['TRIPLINE_KAFKA_JARS'] ?? ''
export const hasKafka = jars !== ''

/** A user of the cluster, who logs in on the port with TLS. */
export const kafkaUser = { username: 'reader', password: 'read-only' } as const

/** A cluster of one broker on loopback, which keeps its topics over restarts. It has a port without a login, and one with TLS and logins. */
export class KafkaBroker {
  readonly #folder: string
  readonly port: number
  readonly #securePort: number
  #child: ChildProcess | undefined
  /** The certificate of the broker, in PEM. */
  certificate = ''

  private constructor(folder: string, port: number, securePort: number) {
    this.#folder = folder
    this.port = port
    this.#securePort = securePort
  }

  get secureAddress(): string {
    return `127.0.0.1:${this.#securePort}`
  }

  get address(): string {
    return `127.0.0.1:${this.port}`
  }

  static async start(): Promise<KafkaBroker> {
    const [port, controllerPort, securePort] = [await findPort(), await findPort(), await findPort()]
    const broker = new KafkaBroker(await mkdtemp(join(tmpdir(), 'tripline-kafka-')), port, securePort)
    const keyStore = await broker.#createKeyStore()
    const { username, password } = kafkaUser
    const login = (module: string): string =>
      `org.apache.kafka.common.security.${module} required username="${username}" password="${password}" user_${username}="${password}";`
    await writeFile(broker.#configPath, [
      'process.roles=broker,controller', 'node.id=1', `controller.quorum.voters=1@127.0.0.1:${controllerPort}`,
      `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort},SASL_SSL://127.0.0.1:${securePort}`,
      `advertised.listeners=PLAINTEXT://127.0.0.1:${port},SASL_SSL://127.0.0.1:${securePort}`, 'controller.listener.names=CONTROLLER',
      'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_SSL:SASL_SSL',
      'sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512', 'ssl.keystore.type=PEM', `ssl.keystore.location=${keyStore}`,
      `listener.name.sasl_ssl.plain.sasl.jaas.config=${login('plain.PlainLoginModule')}`,
      ...['256', '512'].map((bits) => `listener.name.sasl_ssl.scram-sha-${bits}.sasl.jaas.config=${login('scram.ScramLoginModule')}`),
      `log.dirs=${broker.#folder}/logs`,
      'offsets.topic.replication.factor=1', 'offsets.topic.num.partitions=1', 'transaction.state.log.replication.factor=1',
      'transaction.state.log.min.isr=1', 'group.initial.rebalance.delay.ms=0', 'auto.create.topics.enable=false', '',
    ].join('\n'))
    const format = ['-cp', `${jars}/*`, 'kafka.tools.StorageTool', 'format', '-t', 'MkU3OEVBNTcwNTJENDM2Qg', '-c', broker.#configPath]
    for (const bits of ['256', '512']) format.push('--add-scram', `SCRAM-SHA-${bits}=[name=${username},password=${password}]`)
    await promisify(execFile)('java', format)
    await broker.resume()
    return broker
  }

  /** Makes a certificate for loopback, and returns the path of a file with it and its key. */
  async #createKeyStore(): Promise<string> {
    const [keyPath, certificatePath, storePath] = ['key.pem', 'certificate.pem', 'store.pem'].map((name) => join(this.#folder, name))
    execFileSync('openssl', [
      'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', '/CN=tripline-test',
      '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', keyPath!, '-out', certificatePath!,
    ], { stdio: 'ignore' })
    this.certificate = await readFile(certificatePath!, 'utf8')
    await writeFile(storePath!, `${await readFile(keyPath!, 'utf8')}${this.certificate}`)
    return storePath!
  }

  get #configPath(): string {
    return join(this.#folder, 'server.properties')
  }

  get #client(): Kafka {
    return new Kafka({ brokers: [this.address], logLevel: logLevel.NOTHING })
  }

  async resume(): Promise<void> {
    this.#child = spawn('java', ['-Xmx256m', '-cp', `${jars}/*`, 'kafka.Kafka', this.#configPath], { stdio: 'ignore' })
    for (let tries = 0; ; tries++) {
      const admin = this.#client.admin({ retry: { retries: 0 } })
      try {
        await admin.connect()
        await admin.listTopics()
        return
      } catch (error) {
        if (tries === 200) throw error
        await new Promise((resolve) => setTimeout(resolve, 500))
      } finally {
        await admin.disconnect()
      }
    }
  }

  async kill(): Promise<void> {
    await killProgram(this.#child)
  }

  async close(): Promise<void> {
    await this.kill()
    await rm(this.#folder, { recursive: true, force: true })
  }

  async addTopic(topic: string, numPartitions: number): Promise<void> {
    const admin = this.#client.admin()
    await admin.connect()
    await admin.createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions, replicationFactor: 1 }] })
    await admin.disconnect()
  }

  async produce(topic: string, texts: readonly string[]): Promise<void> {
    const producer = this.#client.producer({ allowAutoTopicCreation: false })
    await producer.connect()
    await producer.send({ topic, messages: texts.map((value, index) => ({ value, key: String(index) })) })
    await producer.disconnect()
  }

  /** Messages that a group has not committed. */
  async countPending(topic: string, groupId: string): Promise<number> {
    const admin = this.#client.admin()
    await admin.connect()
    const ends = await admin.fetchTopicOffsets(topic)
    const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] })
    await admin.disconnect()
    const offsetOf = (partition: number): number => Math.max(0, Number(committed?.partitions.find((one) => one.partition === partition)?.offset ?? 0))
    return ends.reduce((sum, { partition, high }) => sum + Number(high) - offsetOf(partition), 0)
  }
}

async function findPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
