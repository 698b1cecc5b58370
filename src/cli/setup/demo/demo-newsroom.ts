import type { DemoBlog } from './demo-blog.js';

/** The articles of the demo that are not live: in review, scheduled, returned, drafts, in the trash. */
export const DEMO_NEWSROOM: readonly DemoBlog[] = [
  {
    slug: 'moving-from-the-embedded-database',
    author: 'kofi',
    state: 'in review',
    title: 'Moving from the embedded database to your own',
    description:
      'The embedded MongoDB is for trying and for small sites. Here is the way out of it.',
    tags: ['operations', 'mongodb'],
    draftText: `<p>Pressroom starts with a MongoDB of its own, so that trying it takes one command. In production it asks for yours.</p>
<ol>
<li>Set up a replica set; one member is enough to begin with.</li>
<li>Dump the embedded database while Pressroom runs, and restore the dump into yours.</li>
<li>Set <code>MONGODB_URI</code>, and hand over the signing key from <code>.data</code>, so that people stay signed in.</li>
<li>Run <code>npm run migrate</code>, then start.</li>
</ol>
<p>Keep the old folder until you have read a few articles from the new place.</p>`,
    then: [{ by: 'wen', transition: 'schedule', publishInDays: 5 }],
  },
  {
    slug: 'how-to-disagree-with-an-editor',
    author: 'ines',
    state: 'draft',
    title: 'How to disagree with an editor',
    description: 'Three sentences that help, and one that never does.',
    tags: ['review', 'editing'],
    draftText: `<p>An editor reads your text as the first stranger. When you disagree, you have learned how a stranger reads it.</p>
<ul>
<li>"What did you take it to mean?" The answer is often worth more than the remark.</li>
<li>"I meant this. How would you have put it?"</li>
<li>"Leave this one to me, and I will take the other four."</li>
</ul>
<p>The sentence that never helps is "readers will understand". One just did not.</p>`,
    then: [
      {
        by: 'ines',
        transition: 'submit',
        note: 'Wen, this one is about the two of us. Is it fair?',
      },
      { by: 'wen', transition: 'assign', assignTo: 'wen' },
      {
        by: 'wen',
        transition: 'correct',
        edit: { description: 'Three sentences that help in a review, and one that never does.' },
      },
      {
        by: 'wen',
        quote: 'Leave this one to me, and I will take the other four.',
        comment:
          'Fair. I made the description a little longer. May we name a number lower than four?',
      },
    ],
  },
  {
    slug: 'a-checklist-before-you-submit',
    author: 'ines',
    state: 'draft',
    title: 'A checklist before you submit',
    description: 'Seven questions that take five minutes and save a round of review.',
    tags: ['review', 'writing'],
    draftText: `<ol>
<li>Does the title say what the reader will know afterwards?</li>
<li>Would the description make sense in a list, without the article?</li>
<li>Is the slug one that can stay?</li>
<li>Has every command been run as it stands here?</li>
<li>Does every image have an alternative text?</li>
<li>Do the tags exist already?</li>
<li>To do: ask Wen for the seventh.</li>
</ol>`,
    then: [
      {
        by: 'ines',
        transition: 'submit',
        note: 'Short on purpose. The seventh question is still open.',
      },
      {
        by: 'wen',
        quote: 'Has every command been run as it stands here?',
        comment: 'On a clean machine? On mine everything was installed already.',
        isResolved: true,
      },
      {
        by: 'ines',
        comment: 'Yes, in a new container each time. I will say so.',
        isReply: true,
      },
      {
        by: 'wen',
        quote: 'To do: ask Wen for the seventh.',
        comment: 'Here it is: does every link lead where its text says?',
      },
      {
        by: 'wen',
        transition: 'return',
        note: 'Nearly there. Put the seventh question in, and say what to do when an answer is no.',
      },
      {
        by: 'ines',
        transition: 'edit',
        edit: { description: 'Seven questions that take five minutes, and what to do after a no.' },
      },
    ],
  },
  {
    slug: 'what-the-log-tells-you',
    author: 'kofi',
    state: 'draft',
    title: 'What the log tells you, and what it never will',
    description: 'A line per request, the same id in the answer, and no secrets.',
    tags: ['operations'],
    draftText: `<p>Every answer carries <code>x-request-id</code>, and so does its line in the log. When somebody reports an error, ask for that id.</p>
<p>A line holds the route, the status and the time. It holds no token, no key, no password and no body, so a log can be shown to people who may not see those.</p>
<p>To do: a section on <code>LOG_REQUESTS</code>.</p>`,
  },
  {
    slug: 'our-newsletter-is-coming',
    author: 'ines',
    state: 'draft',
    title: 'Our newsletter is coming',
    description: 'A letter once a month. We have decided against it.',
    tags: ['writing'],
    draftText: `<p>From next month on you can have the new articles by mail.</p>`,
    then: [{ by: 'ines', transition: 'delete' }],
  },
];
