import { limits } from '../limits.ts'

/** Runs work and gives signs of life meanwhile, so that a broker does not give the messages to another consumer. */
export async function keepAlive(signOfLife: () => void, work: Promise<void>, everyMs: number = limits.broker.aliveMs): Promise<void> {
  const timer = setInterval(signOfLife, everyMs)
  try {
    await work
  } finally {
    clearInterval(timer)
  }
}
