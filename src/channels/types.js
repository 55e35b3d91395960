/**
 * What became of something that was to be sent.
 * - `refused`: the platform will never take it.
 * - `later`: it was certainly not taken, and may be sent again, not before `afterMs`.
 * - `unknown`: it may have been taken. To send it again could say it twice.
 */
export class SendError extends Error {
    fate;
    afterMs;
    constructor(fate, message, options = {}) {
        super(message, options);
        this.fate = fate;
        this.afterMs = options.afterMs;
    }
}
