import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const main = join(import.meta.dirname, '..', 'src', 'main.ts')
const running = new Set<ChildProcess>()

/** A folder with the configuration of a collector, and the commands over it. */
export class CollectorFolder {
  readonly root: string
  #child: ChildProcess | undefined
  stderr = ''

  constructor(root: string) {
    this.root = root
  }

  get configPath(): string {
    return join(this.root, 'collector.yaml')
  }

  async write(serverUrl: string, sources: { readonly [name: string]: object }, bufferBytes = 64 * 1_048_576, more: object = {}): Promise<void> {
    await mkdir(join(this.root, 'sources.d'), { recursive: true })
    await writeFile(this.configPath, JSON.stringify({ server: { url: serverUrl }, data_dir: join(this.root, 'data'), buffer: { max_bytes: bufferBytes }, ...more }))
    for (const [name, source] of Object.entries(sources)) await this.writeSource(name, JSON.stringify(source))
  }

  async writeSource(name: string, text: string): Promise<void> {
    await writeFile(join(this.root, 'sources.d', `${name}.yaml`), text)
  }

  /** Runs a command to its end; all but test read the configuration. */
  async command(...args: readonly string[]): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
    const [name = '', ...rest] = args
    const child = spawn(process.execPath, [main, name, ...(name === 'test' ? [] : ['-c', this.configPath]), ...rest], { stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    const printed = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk: Buffer) => (printed.stdout += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (printed.stderr += chunk.toString()))
    const [code] = await once(child, 'close') as [number | null]
    running.delete(child)
    return { code, ...printed }
  }

  start(): void {
    const child = spawn(process.execPath, [main, 'run', '-c', this.configPath], { stdio: ['ignore', 'ignore', 'pipe'] })
    running.add(child)
    child.stderr.on('data', (chunk: Buffer) => (this.stderr = `${this.stderr}${chunk.toString()}`.slice(-20_000)))
    this.#child = child
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#child
    if (child === undefined) return
    const closed = once(child, 'close')
    child.kill(signal)
    await closed
    running.delete(child)
  }

  /** What `status --json` shows; undefined while no collector answers. */
  async status(): Promise<{ readonly [name: string]: unknown } | undefined> {
    const { code, stdout } = await this.command('status', '--json')
    return code === 0 ? JSON.parse(stdout) as { readonly [name: string]: unknown } : undefined
  }
}

/** Ends what a failed test left running. */
export function killCollectors(): void {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
}
