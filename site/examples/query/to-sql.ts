import { compileQuery } from '@tripline/query'
import { sqlite, toSql } from '@tripline/query/sql'

const fields = new Map([['User', { texts: { name: 'user', isList: false } }]])
const { text, parameters, residual } = toSql(compileQuery('NOT User:alice').predicate, sqlite, { fields })
console.log(text, parameters, residual.kind)
