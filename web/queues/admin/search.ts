import type { Input } from '@qatra/contract/endpoint'
import { type listFailedJobs } from '@qatra/contract/queues'
import { oneOf, pageNumber, type StateOf, textIn } from '../../lib/search-state.ts'
import { PAGE_SIZE } from '../../ui/admin/list/use-list.ts'

export const jobsShape = { view: oneOf(['failed']), queue: textIn(100), page: pageNumber }
export type JobsState = StateOf<typeof jobsShape>

export const failedQuery = ({ queue, page }: JobsState): NonNullable<Input<typeof listFailedJobs>['query']> => ({
  page,
  limit: PAGE_SIZE,
  ...(/^[\w.-]+$/.test(queue) && { queue }),
})
