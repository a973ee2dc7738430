import { completeQuery } from '@tripline/query'

const fields = [{ name: 'User', type: 'text', topValues: ['alice'] }, { name: 'Image', type: 'text', topValues: [] }] as const
const { suggestions, replaced } = completeQuery('Us', 2, { fields })
console.log(suggestions[0], replaced)
