import { Engine } from '@tripline/engine'
import type { RuleSet } from '@tripline/engine'
import { synthesizeRules } from 'tripline/measuring'
import { measureInterleaved, computeMedianMs } from '../measure-rounds.ts'
import type { Row, Suite } from '../suite.ts'

/** From texts to rules that match: at a start, and for one rule more while an engine runs. */
export const compileSuite: Suite = {
  name: 'compile',
  title: 'Compiling rules',
  async run(bench) {
    const { sources, compile } = bench.corpus
    const first = sources[0]!
    const changed = synthesizeRules([first], 3).slice(1)
    const engine = new Engine(compile(sources))
    const event = { EventID: 1, Channel: 'Microsoft-Windows-Sysmon/Operational', Image: 'C:\\Windows\\System32\\cmd.exe' }
    let built: RuleSet | undefined
    let number = 0
    const ways = [
      { name: 'all rules, the first event matched', run: () => {
        built = compile(sources)
        new Engine(built).push([event])
      } },
      { name: 'one rule more, the next event matched', run: () => {
        // Each time another one, in the place of the one before, so that the rule set does not grow.
        const [before, after] = [changed[number++ % 2]!, changed[number % 2]!]
        built = engine.ruleSet.applyChange({ put: compile([after]).rules, drop: compile([before]).rules.map(({ id }) => id) })
        engine.swap(built)
        engine.push([event])
      } },
      { name: 'one rule alone', run: () => void (built = compile([first])) },
    ]
    const times = await measureInterleaved(ways, bench)
    return ways.map(({ name, run }): Row => {
      run()
      const ruleCount = built?.rules.length ?? 0
      const ms = computeMedianMs(times.get(name) ?? [])
      return { case: name, counts: { rules: ruleCount }, figures: { ms, 'µs per rule': Math.round((ms * 1_000) / ruleCount) } }
    })
  },
}
