import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

/** A TCP port of this machine that is free now. */
export async function findPort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => void probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => void probe.close(resolve))
  return port
}
