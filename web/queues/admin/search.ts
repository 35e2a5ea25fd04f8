import type { Input } from '@qatra/contract/endpoint'
import { type listFailedJobs } from '@qatra/contract/queues'
import { oneOf, pageNumber, type StateOf, textIn } from '../../app/search-state.ts'

export const jobsShape = { view: oneOf(['failed']), queue: textIn(100), page: pageNumber }
export type JobsState = StateOf<typeof jobsShape>

export const PAGE_SIZE = 50

export const failedQuery = ({ queue, page }: JobsState): NonNullable<Input<typeof listFailedJobs>['query']> => ({
  page,
  limit: PAGE_SIZE,
  ...(/^[\w.-]+$/.test(queue) && { queue }),
})
