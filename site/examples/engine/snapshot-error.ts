import { Engine, SnapshotError, compileRules } from '@tripline/engine'

const engine = new Engine(compileRules('').ruleSet)
engine.restore(engine.snapshot())
try {
  engine.restore(new Uint8Array([1, 2, 3]))
} catch (error) {
  if (error instanceof SnapshotError) console.log(error.code)
}
