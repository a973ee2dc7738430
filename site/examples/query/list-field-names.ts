import { listFieldNames } from '@tripline/query'

console.log(listFieldNames('Image').includes('process.executable'))
