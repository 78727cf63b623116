"""Games of OpenSpiel that tests solve."""

GOOFSPIEL_3 = (
    "goofspiel(players=3,num_cards=4,points_order=descending,imp_info=false,returns_type=win_loss)"
)
GOOFSPIEL_3_SMALL = (
    "goofspiel(players=3,num_cards=3,points_order=descending,imp_info=false,returns_type=win_loss)"
)
KUHN, KUHN_3, LEDUC = "kuhn_poker", "kuhn_poker(players=3)", "leduc_poker"
