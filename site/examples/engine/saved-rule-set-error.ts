import { SavedRuleSetError, loadRuleSet } from '@tripline/engine'

try {
  await loadRuleSet(new Uint8Array([1, 2, 3]))
} catch (error) {
  if (error instanceof SavedRuleSetError) console.log(error.code)
}
