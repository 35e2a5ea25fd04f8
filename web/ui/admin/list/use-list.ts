import type { Page } from '@qatra/contract/lib/page'
import { keepPreviousData, type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { CallError, ReadKey } from '../../../lib/api-client.ts'
import { type Param, readSearch, type Shape, type StateOf, useSearchState } from '../../../lib/search-state.ts'

export const PAGE_SIZE = 50

/** The usual parameters of a list: `pageNumber`, `textIn` and `sortBy`. */
type ListShape = {
  page: Param<number>
  q?: Param<string>
  sort?: { read(texts: readonly string[]): string | undefined; write(value: never): readonly string[] }
}

interface ListOptions {
  limit?: number
  refetchInterval?: number
}

/**
 * List with pagination, search and filters; its state is in the address. The previous rows stay until the next ones
 * arrive.
 */
export function useList<S extends Shape & ListShape, Answer extends Page<unknown>>(
  shape: S,
  queryOf: (state: StateOf<S>) => UseQueryOptions<Answer, CallError, Answer, ReadKey>,
  { limit = PAGE_SIZE, ...options }: ListOptions = {},
) {
  const [state, setState] = useSearchState(shape)
  const query = useQuery({ ...queryOf(state), placeholderData: keepPreviousData, ...options })
  const [{ page, q = '', sort }, set] = useSearchState<ListShape>(shape)
  return {
    state,
    setState,
    query,
    data: query.data,
    /** Props of `DataTable`. */
    table: {
      rows: query.data?.items as Answer['items'] | undefined,
      error: query.error,
      onRetry: () => void query.refetch(),
      sort,
      onSort: (next: string) => set({ sort: readSearch<ListShape>(shape, { sort: next }).sort }),
      page,
      limit,
      total: query.data?.total,
      onPage: (next: number) => set({ page: next }),
    },
    /** Props of `SearchFilter`. */
    search: { value: q, onChange: (text: string) => set({ q: text }, { replace: true }) },
    /** Props of a `ChoiceFilter` of one choice. */
    choice: <K extends keyof StateOf<S>>(key: K) => ({
      values: state[key] ? [state[key]] : [],
      onChange: ([value]: readonly NonNullable<StateOf<S>[K]>[]) => setState({ [key]: value } as Partial<StateOf<S>>),
    }),
  }
}

/** The same for a query that answers all rows at once; `rows` are those that are shown. */
export const wholeList = <Row>(
  query: Pick<UseQueryResult<unknown>, 'isPending' | 'error' | 'refetch'>,
  rows: readonly Row[] | undefined,
) => ({
  query,
  table: {
    rows,
    error: query.error,
    onRetry: () => void query.refetch(),
    page: 1,
    limit: Math.max(1, rows?.length ?? 1),
    total: rows?.length,
    onPage: stay,
  },
})
const stay: (page: number) => void = () => undefined

export type List<Row> = ReturnType<typeof useList<ListShape & Shape, Page<Row>>>
