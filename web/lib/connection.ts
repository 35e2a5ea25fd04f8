import { createAtom, useSelector } from '@tanstack/react-store'

interface Connection {
  /** False from a request without an answer, or the browser's own word, until the next answer. */
  isOnline: boolean
  /** Acts that wait to be sent. */
  waiting: number
}

export const connection = createAtom<Connection>({ isOnline: true, waiting: 0 })

const change = (about: Partial<Connection>) => connection.set((before) => ({ ...before, ...about }))

/** Call it with the outcome of each request. */
export function noteConnection(isOnline: boolean) {
  if (connection.get().isOnline !== isOnline) change({ isOnline })
}

/** Adds to the number of waiting acts; negative when they were sent. */
export const addWaiting = (count: number) => change({ waiting: connection.get().waiting + count })

export const isOnline = () => connection.get().isOnline

export const useConnection = () => useSelector(connection)
