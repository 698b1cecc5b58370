import { ApiError } from '../../platform/http/errors/api.errors.js';

export class InvitationNotFoundError extends ApiError {
  constructor() {
    super('invitation_not_found', 'invitation not found');
  }
}

/** 400: the address has an open invitation already. */
export class AlreadyInvitedError extends ApiError {
  constructor() {
    super('already_invited', 'the address has an open invitation: send it again, or withdraw it');
  }
}

/** 403: the signed-in account has another address than the invitation. */
export class ForeignInvitationError extends ApiError {
  constructor() {
    super(
      'foreign_invitation',
      'the invitation is for another address: sign in to the account with that address',
    );
  }
}
