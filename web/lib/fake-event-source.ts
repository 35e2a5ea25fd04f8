/** For tests: an `EventSource` without a connection. */
export class FakeEventSource extends EventTarget {
  static CONNECTING = 0
  static CLOSED = 2
  static all: FakeEventSource[] = []
  readyState = 1
  onerror: (() => void) | null = null
  url: string
  constructor(url: string) {
    super()
    this.url = url
    FakeEventSource.all.push(this)
  }
  close() {
    this.readyState = FakeEventSource.CLOSED
  }
  dispatch(name: string, data: object, id = 0) {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data), lastEventId: String(id) }))
  }
  fail(readyState: number) {
    this.readyState = readyState
    this.onerror?.()
  }
}
