// Runs a step that fetches from a registry, so that it neither hangs nor keeps silent. No dependencies.
import { spawn } from 'node:child_process'

/**
 * Runs a program whose output goes to stderr. Tells every `tellMs` how much has arrived, ends an attempt in which nothing arrived
 * and nothing was printed for `stallMs`, and tries again, `attemptsMax` times in all. A program that fails by itself is not
 * started again: package managers try again themselves. Resolves with what went wrong, or with undefined.
 *
 * `measure` returns the bytes that have arrived.
 */
export async function runFetching({ attemptsMax = 3, say, what, ...step }) {
  for (let attempt = 1; ; attempt++) {
    const outcome = await runOnce({ say, what, ...step })
    if (outcome === 'done') return undefined
    if (outcome !== 'stalled') return outcome
    const silent = `nothing of ${what} arrived for ${formatSeconds(step.stallMs)}`
    if (attempt === attemptsMax) return `${silent}, ${attemptsMax} times`
    say(`${silent}; trying again (${attempt + 1} of ${attemptsMax})`)
  }
}

function runOnce({ program, args, cwd, env, say, what, measure, tellMs, stallMs }) {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let isStalled = false
    let bytes = measure()
    let movedAt = startedAt
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        movedAt = performance.now()
        process.stderr.write(chunk)
      })
    }
    const watch = setInterval(() => {
      const now = performance.now()
      const bytesNow = measure()
      if (bytesNow !== bytes) movedAt = now
      bytes = bytesNow
      if (now - movedAt >= stallMs) {
        isStalled = true
        child.kill('SIGKILL')
      } else say(`${what}: ${Math.round(bytes / 1e6)} MB are there after ${formatSeconds(now - startedAt)}`)
    }, Math.min(tellMs, stallMs))
    const end = (outcome) => {
      clearInterval(watch)
      resolve(outcome)
    }
    child.on('error', (error) => end(`${program} could not be started: ${error.message}`))
    child.on('close', (code, signal) => {
      end(isStalled ? 'stalled' : code === 0 ? 'done' : `${program} ${args[0]} ended with ${code ?? signal}`)
    })
  })
}

function formatSeconds(ms) {
  return `${Math.round(ms / 1000)} s`
}
