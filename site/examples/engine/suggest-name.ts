import { suggestName } from '@tripline/engine'

console.log(suggestName('endswiht', ['contains', 'startswith', 'endswith']))
