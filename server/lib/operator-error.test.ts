import { expect, it } from 'vitest'
import { explainFailure, OperatorError } from './operator-error.ts'

const place = { host: '0.0.0.0', port: 80, databaseUrl: 'postgres://qatra:canary@db.example/qatra', dataDir: '/data' }
const fail = (code: string, more: object = {}) => Object.assign(new Error(`failed with canary`), { code, ...more })

it.each([
  ['a wrong password', fail('28P01'), 78, 'password'],
  ['a role that is not the owner', fail('42501'), 78, 'owner of the database'],
  ['a standby', fail('25006'), 75, 'name the primary'],
  ['a database that starts', fail('57P03'), 75, 'not reached (57P03)'],
  ['a name that nobody knows', fail('ENOTFOUND', { syscall: 'getaddrinfo' }), 75, 'not reached (ENOTFOUND)'],
  ['a machine that is silent', new Error('timeout expired'), 75, 'not reached (no answer)'],
  ['a certificate of another', fail('ERR_TLS_CERT_ALTNAME_INVALID'), 78, 'sslmode'],
  ['a disk full for the database', new Error('Failed query', { cause: fail('53100') }), 75, 'make room where /data is'],
  ['a disk full for a file', fail('ENOSPC', { syscall: 'write' }), 75, 'make room where /data is'],
  ['a disk full for the embedded database', new OperatorError('FATAL: No space left'), 75, 'make room where /data is'],
  ['a port below 1024', fail('EACCES', { syscall: 'listen' }), 78, 'may not listen on port 80'],
  ['a disk mounted read-only', fail('EROFS', { path: '/data/lock' }), 78, '/data/lock is read-only here'],
])('%s is one sentence with its remedy, without the address of the database', (_, error, exitCode, words) => {
  const failure = explainFailure(error, place)
  expect(failure).toMatchObject({ exitCode })
  expect(failure?.message).toContain(words)
  expect(failure?.message).not.toMatch(/canary|\n/)
})

it('leaves to the stack what no operator can mend', () => {
  expect(explainFailure(new TypeError('x is not a function'), place)).toBeNull()
  expect(explainFailure(fail('ECONNREFUSED'), { ...place, databaseUrl: null })).toBeNull()
})
