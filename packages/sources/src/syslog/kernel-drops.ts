import { readFile } from 'node:fs/promises'

/** The tables of UDP sockets that Linux has. */
const tables = ['/proc/net/udp', '/proc/net/udp6']

/** Counts the datagrams that the kernel dropped for a port, because its buffer was full; undefined where it does not tell. */
export async function readKernelDrops(port: number, read: (path: string) => Promise<string> = readTable): Promise<number | undefined> {
  const texts = await Promise.all(tables.map((path) => read(path)))
  const counts = texts.flatMap((text) => findDrops(text, port))
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0)
}

/** The last column of the rows whose local address has the port: `sl local_address rem_address ... drops`. */
function findDrops(table: string, port: number): number[] {
  return table.split('\n').flatMap((line) => {
    const columns = line.trim().split(/\s+/)
    const [, local = ''] = columns
    const drops = Number(columns.at(-1))
    return Number.parseInt(local.split(':')[1] ?? '', 16) === port && Number.isSafeInteger(drops) ? [drops] : []
  })
}

async function readTable(path: string): Promise<string> {
  return await readFile(path, 'latin1').catch(() => '')
}
