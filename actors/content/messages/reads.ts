// What other areas read of saved messages.

export interface MessagesReads {
  readonly messageCount: number;
}
