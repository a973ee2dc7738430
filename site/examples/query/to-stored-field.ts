import { toStoredField } from '@tripline/query/sql'

console.log(toStoredField('512'), toStoredField(['a', 'b']))
