import { describe, expect, it, vi } from 'vitest'
import { awaitDatabase } from './db.ts'

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

describe('the first query of a starting server', () => {
  it('is repeated until the database can be reached', async () => {
    const query = vi.fn<() => Promise<string>>()
    query.mockRejectedValueOnce(refused).mockRejectedValueOnce(new Error('timeout exceeded when trying to connect'))
    query.mockResolvedValue('now')
    expect(await awaitDatabase(query)).toBe('now')
    expect(query).toHaveBeenCalledTimes(3)
  })

  it('fails at once for any other error', async () => {
    const query = vi.fn<() => Promise<string>>().mockRejectedValue(new Error('permission denied'))
    await expect(awaitDatabase(query)).rejects.toThrow('permission denied')
    expect(query).toHaveBeenCalledTimes(1)
  })
})
