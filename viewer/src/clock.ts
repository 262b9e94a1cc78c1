// The time of the page: whoever shows something at a time listens to it.

export class Clock {
  playing = false;
  loop = true;
  speed = 1; // seconds of the motion per second, relative to `natural`
  private now: number;
  private last = 0;
  private readonly listeners: ((time: number) => void)[] = [];
  private readonly stateListeners: (() => void)[] = [];

  /** natural: seconds of the motion that pass in one second, so that a run of 50 ms is not over in a blink. */
  constructor(
    readonly begin: number,
    readonly end: number,
    readonly natural: number,
  ) {
    this.now = begin;
  }

  get time(): number {
    return this.now;
  }

  onTime(listener: (time: number) => void): void {
    this.listeners.push(listener);
    listener(this.now);
  }

  onState(listener: () => void): void {
    this.stateListeners.push(listener);
    listener();
  }

  set(time: number): void {
    this.now = Math.min(this.end, Math.max(this.begin, time));
    for (const listener of this.listeners) listener(this.now);
  }

  toggle(): void {
    this.playing = !this.playing;
    if (this.playing) {
      if (this.now >= this.end) this.set(this.begin);
      this.last = performance.now();
      requestAnimationFrame((moment) => this.tick(moment));
    }
    this.changed();
  }

  change(what: Partial<Pick<Clock, "loop" | "speed">>): void {
    Object.assign(this, what);
    this.changed();
  }

  private changed(): void {
    for (const listener of this.stateListeners) listener();
  }

  private tick(moment: number): void {
    if (!this.playing) return;
    const passed = Math.min(0.1, Math.max(0, (moment - this.last) / 1000)); // a tab that slept does not jump
    this.last = moment;
    let next = this.now + passed * this.speed * this.natural;
    if (next > this.end) {
      if (this.loop) {
        next = this.begin;
      } else {
        next = this.end;
        this.playing = false;
        this.changed();
      }
    }
    this.set(next);
    if (this.playing) requestAnimationFrame((later) => this.tick(later));
  }
}

/** A run of 2 to 30 s plays as it is; a shorter or longer one in about 8 s, at a round ratio. */
export function naturalSpeed(duration: number): number {
  if (duration >= 2 && duration <= 30) return 1;
  const wanted = duration / 8;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return ([1, 2, 5].filter((factor) => factor * power <= wanted * 1.001).pop() ?? 1) * power;
}
